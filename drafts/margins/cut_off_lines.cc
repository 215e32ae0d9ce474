#include "drafts/margins/cut_off_lines.h"

#include <algorithm>
#include <cctype>

namespace docspec {

std::vector<int> cut_off_lines(const PageInput& page, const std::vector<TextLine>& lines, bool left,
                               double body_px) {
  constexpr size_t kLeast = 5, kMostLetters = 6;
  constexpr double kMostWidth = 4, kWhite = 0.5;  // em
  const double edge = 3 + 0.004 * page.width_px;
  const auto depth = [&](const TextLine& line) {
    return left ? line.box.x1 : page.width_px - line.box.x0;
  };
  std::vector<int> found;
  int deepest = 0;
  size_t of_letters = 0;
  for (int i = 0; i < int(lines.size()); ++i) {
    const TextLine& line = lines[size_t(i)];
    const double from = left ? line.box.x0 : page.width_px - line.box.x1;
    if (!line.rough_size || line.quarter_turns != 0 || line.words.empty() || from > edge ||
        depth(line) > kMostWidth * body_px || line.chars > kMostLetters)
      continue;
    found.push_back(i);
    deepest = std::max(deepest, depth(line));
    of_letters += std::islower(uint8_t(page.words[size_t(line.words.front())].text[0])) != 0;
  }
  if (found.size() < kLeast || of_letters * 2 < found.size()) return {};
  const bool alone = std::all_of(lines.begin(), lines.end(), [&](const TextLine& line) {
    const int near = left ? line.box.x0 : page.width_px - line.box.x1;
    return std::find(found.begin(), found.end(), int(&line - lines.data())) != found.end() ||
           near > deepest + kWhite * body_px;
  });
  return alone ? found : std::vector<int>();
}

}  // namespace docspec
