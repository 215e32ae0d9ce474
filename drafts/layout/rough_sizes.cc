#include "drafts/layout/rough_sizes.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/base/median.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

/// The nearest line below that shares at least half of the narrower one's width; -1 if none.
int next_below(const std::vector<TextLine>& lines, int upper) {
  const Box& box = lines[size_t(upper)].box;
  int best = -1;
  for (int j = 0; j < int(lines.size()); ++j) {
    const TextLine& line = lines[size_t(j)];
    const int shared = std::min(box.x1, line.box.x1) - std::max(box.x0, line.box.x0);
    if (j == upper || line.quarter_turns != 0 ||
        line.middle() < lines[size_t(upper)].middle() + 0.4 * lines[size_t(upper)].size_px ||
        shared * 2 < std::min(box.width(), line.box.width()))
      continue;
    if (best < 0 || line.middle() < lines[size_t(best)].middle()) best = j;
  }
  return best;
}

/// For each line the one that continues its paragraph; -1 = none.
std::vector<int> continuations(const std::vector<TextLine>& lines) {
  constexpr double kUsual = 1.2;  // times the median pitch
  constexpr double kIndent = 2.5, kRagged = 1.5;
  std::vector<int> below(lines.size(), -1);
  std::vector<double> pitches;
  const auto pitch = [&](size_t i) { return lines[size_t(below[i])].middle() - lines[i].middle(); };
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].rough_size || lines[i].quarter_turns != 0) continue;
    below[i] = next_below(lines, int(i));
    if (below[i] >= 0) pitches.push_back(pitch(i));
  }
  if (pitches.empty()) return below;
  const double usual = kUsual * median(pitches);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (below[i] < 0) continue;
    const TextLine &upper = lines[i], &lower = lines[size_t(below[i])];
    const double em = std::min(upper.size_px, lower.size_px);
    const int indent = upper.box.x0 - lower.box.x0;
    if (pitch(i) > usual || std::abs(indent) > kIndent * em ||
        upper.box.x1 < lower.box.x1 - kRagged * em)
      below[i] = -1;
  }
  return below;
}

/// Whether no letter of a line is as high as the line: the last of a paragraph may be "now." or
/// "succès."
bool is_flat(const TextLine& line, std::span<const Word> words) {
  const auto is_flat_letter = [](uint32_t c) {
    return c < 0x80 ? std::string_view("acemnorsuvwxz.,").find(char(c)) != std::string_view::npos
                    : c >= U'à' && c <= U'ü';
  };
  return !line.words.empty() && std::all_of(line.words.begin(), line.words.end(), [&](int i) {
    const std::string& text = words[size_t(i)].text;
    for (size_t at = 0; at < text.size();)
      if (!is_flat_letter(next_code_point(text, at))) return false;
    return true;
  });
}

}  // namespace

void settle_rough_sizes(std::vector<TextLine>& lines, std::span<const Word> words) {
  constexpr double kSame = 1.1;
  const std::vector<int> below = continuations(lines);
  std::vector<std::vector<double>> neighbours(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    if (below[i] < 0) continue;
    neighbours[i].push_back(lines[size_t(below[i])].size_px);
    neighbours[size_t(below[i])].push_back(lines[i].size_px);
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    if (neighbours[i].empty() || !lines[i].rough_size) continue;
    const auto [least, most] = std::minmax_element(neighbours[i].begin(), neighbours[i].end());
    double& size = lines[i].size_px;
    if (size > kSame * *most) size = *most;
    const bool low = neighbours[i].size() > 1 || is_flat(lines[i], words);
    if (low && size * kSame < *least) size = *least;
  }
}

}  // namespace docspec
