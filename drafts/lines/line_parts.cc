#include "drafts/lines/line_parts.h"

#include <algorithm>

namespace docspec {
namespace {

/// Runs of columns with ink, from left to right; blanks as wide as those between letters do not end
/// one.
std::vector<Box> ink_runs(const PageImage& page, const Box& line) {
  constexpr int kInkLevel = 160;
  const Box box = intersect(line, {0, 0, page.width_px(), page.height_px()});
  std::vector<int> ink(size_t(std::max(0, box.width())), 0);
  for (int y = box.y0; y < box.y1; ++y) {
    const uint8_t* rgb = page.row(y) + box.x0 * 3;
    for (size_t x = 0; x < ink.size(); ++x) ink[x] += rgb[3 * x + 1] < kInkLevel;
  }
  const int letter_gap = std::max(1, box.height() / 8);
  std::vector<Box> runs;
  for (int x = 0; x < int(ink.size()); ++x) {
    if (ink[size_t(x)] == 0) continue;
    if (runs.empty() || box.x0 + x - runs.back().x1 > letter_gap)
      runs.push_back({box.x0 + x, box.y0, box.x0 + x, box.y1});
    runs.back().x1 = box.x0 + x + 1;
  }
  return runs;
}

using Runs = std::vector<std::vector<Box>>;  // of each line

Runs ink_runs(const PageImage& page, std::span<const Box> lines) {
  Runs runs;
  for (const Box& line : lines) runs.push_back(ink_runs(page, line));
  return runs;
}

/// Each run as a word, to find gutters between them.
std::vector<Word> words_of(const Runs& lines) {
  std::vector<Word> words;
  for (const std::vector<Box>& runs : lines)
    for (const Box& run : runs) words.push_back({"", run});
  return words;
}

}  // namespace

std::optional<Gutter> find_gutter(const PageImage& page, std::span<const Box> lines) {
  return find_gutter(words_of(ink_runs(page, lines)));
}

std::vector<Box> part_lines(const PageImage& page, std::span<const Box> lines) {
  const Runs all = ink_runs(page, lines);
  const Gutters gutters = find_gutters(words_of(all));
  std::vector<Box> parts;
  for (size_t i = 0; i < lines.size(); ++i) {
    Box rest = lines[i];
    for (size_t k = 0; k + 1 < all[i].size(); ++k)
      if (gutters.parts(all[i][k], all[i][k + 1])) {
        parts.push_back({rest.x0, rest.y0, all[i][k].x1, rest.y1});
        rest.x0 = all[i][k + 1].x0;
      }
    parts.push_back(rest);
  }
  return parts;
}

}  // namespace docspec
