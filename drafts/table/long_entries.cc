#include "drafts/table/long_entries.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace docspec {
namespace {

constexpr size_t kLeastEntries = 4;
constexpr double kMostPitch = 2.2;  // em from row to row

/// Whether a line goes on with the sentence of the line above it, or is not read yet.
bool begins_small(std::span<const Word> words, const TextLine& line) {
  return line.words.empty() ||
         std::islower(uint8_t(words[size_t(line.words.front())].text[0])) != 0;
}

}  // namespace

std::vector<bool> find_long_entries(const std::vector<std::vector<int>>& rows,
                                    const std::vector<TextLine>& lines, std::span<const Word> words,
                                    const Gutters& gutters, const std::vector<bool>& is_short) {
  std::vector<bool> entries(lines.size(), false);
  std::vector<int> run;  // the last lines of rows so far
  const auto end = [&] {
    if (run.size() < kLeastEntries) return run.clear();
    const auto wide = std::max_element(run.begin(), run.end(), [&](int a, int b) {
      return lines[size_t(a)].box.x1 < lines[size_t(b)].box.x1;
    });
    // Lines of running text reach one edge.
    const auto full = std::count_if(run.begin(), run.end(), [&](int i) {
      return lines[size_t(*wide)].box.x1 - lines[size_t(i)].box.x1 < 2 * lines[size_t(i)].size_px;
    });
    if (size_t(full) * 2 <= run.size())
      for (const int i : run) entries[size_t(i)] = !is_short[size_t(i)];
    run.clear();
  };
  for (const std::vector<int>& row : rows) {
    const TextLine& last = lines[size_t(row.back())];
    const double em = last.size_px;
    const bool cells = row.size() > 1 && !last.mono && !begins_small(words, last) &&
                       std::all_of(row.begin(), row.end() - 1, [&](int i) {
                         return is_short[size_t(i)] && lines[size_t(i)].quarter_turns == 0 &&
                                !gutters.parts(lines[size_t(i)].box, last.box);
                       });
    if (!cells) {
      end();
      continue;
    }
    if (!run.empty()) {
      const Box& above = lines[size_t(run.back())].box;
      if (std::abs(above.x0 - last.box.x0) > em / 4 || last.box.y0 - above.y0 > kMostPitch * em)
        end();
    }
    run.push_back(row.back());
  }
  end();
  return entries;
}

}  // namespace docspec
