#include "drafts/ocr/stacks.h"

#include <algorithm>
#include <cstdint>

#include "core/base/median.h"

namespace docspec {
namespace {

/// The runs of rows with ink in a box, each as the box around its ink. Ink is darker than the
/// middle between the darkest and the lightest pixel.
std::vector<Box> rows_of_ink(const PageImage& image, const Box& box) {
  const auto level = [](const uint8_t* rgb) { return std::max({rgb[0], rgb[1], rgb[2]}); };
  int low = 255, high = 0;
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x) {
      const int own = level(image.row(y) + size_t(x) * 3);
      low = std::min(low, own), high = std::max(high, own);
    }
  std::vector<Box> runs;
  bool open = false;
  for (int y = box.y0; y < box.y1; ++y) {
    Box row;
    for (int x = box.x0; x < box.x1; ++x)
      if (level(image.row(y) + size_t(x) * 3) * 2 < low + high)
        row = unite(row, {x, y, x + 1, y + 1});
    if (!row.empty() && open)
      runs.back() = unite(runs.back(), row);
    else if (!row.empty())
      runs.push_back(row);
    open = !row.empty();
  }
  return runs;
}

}  // namespace

std::vector<Box> signs_of_stack(const PageImage& image, const Box& tall,
                                std::span<const Box> lines) {
  constexpr size_t kLeast = 3;
  constexpr double kTall = 2.5, kWhite = 0.35, kAlike = 1.3;
  if (tall.height() < kTall * tall.width()) return {};
  const std::vector<Box> signs =
      rows_of_ink(image, intersect(tall, {0, 0, image.width_px(), image.height_px()}));
  if (signs.size() < kLeast) return {};
  std::vector<int> heights, gaps;
  for (size_t i = 0; i < signs.size(); ++i) {
    heights.push_back(signs[i].height());
    if (i > 0) gaps.push_back(signs[i].y0 - signs[i - 1].y1);
  }
  const int height = median(heights), least = *std::min_element(gaps.begin(), gaps.end());
  const bool alike = std::all_of(heights.begin(), heights.end(), [&](int own) {
    return own * kAlike > height && own < kAlike * height;
  });
  const auto level = std::count_if(signs.begin(), signs.end(), [&](const Box& sign) {
    return std::any_of(lines.begin(), lines.end(), [&](const Box& line) {
      return line.width() > line.height() && line.height() < 3 * height && line.y0 < sign.y1 &&
             line.y1 > sign.y0;
    });
  });
  if (!alike || least < kWhite * height || size_t(level) * 2 < signs.size()) return {};
  return signs;
}

}  // namespace docspec
