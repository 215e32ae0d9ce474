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

std::optional<Gutter> gutter_between(const Runs& lines) {
  std::vector<Word> words;
  for (const std::vector<Box>& runs : lines)
    for (const Box& run : runs) words.push_back({"", run});
  return find_gutter(words);
}

}  // namespace

std::optional<Gutter> find_gutter(const PageImage& page, std::span<const Box> lines) {
  return gutter_between(ink_runs(page, lines));
}

std::vector<Box> part_lines(const PageImage& page, std::span<const Box> lines) {
  const Runs all = ink_runs(page, lines);
  const auto gutter = gutter_between(all);
  if (!gutter) return {lines.begin(), lines.end()};
  std::vector<Box> parts;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Box& line = lines[i];
    const std::vector<Box>& runs = all[i];
    const auto left = std::adjacent_find(
        runs.begin(), runs.end(), [&](const Box& a, const Box& b) { return gutter->parts(a, b); });
    if (left == runs.end()) {
      parts.push_back(line);
      continue;
    }
    parts.push_back({line.x0, line.y0, left->x1, line.y1});
    parts.push_back({std::next(left)->x0, line.y0, line.x1, line.y1});
  }
  return parts;
}

}  // namespace docspec
