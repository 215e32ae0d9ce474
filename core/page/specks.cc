#include "core/page/specks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <utility>
#include <vector>

#include "core/base/median.h"
#include "core/page/pix_ptr.h"

namespace docspec {
namespace {

constexpr int kContrast = 60;           // of a speck to all of its eight neighbours
constexpr double kLeastDpi = 120;       // the dots of coarser print are single pixels, too
constexpr double kLeastShare = 0.0005;  // of the page; print has a fifth of it

std::vector<uint8_t> green_of(const PageImage& page) {
  std::vector<uint8_t> green;
  green.reserve(size_t(page.width_px()) * size_t(page.height_px()));
  for (int y = 0; y < page.height_px(); ++y) {
    const uint8_t* row = page.row(y);
    for (int x = 0; x < page.width_px(); ++x) green.push_back(row[3 * x + 1]);
  }
  return green;
}

/// Standard deviation of what differs from pixel to pixel where nothing is printed.
double grain_of(const PageImage& page) {
  constexpr int kEveryRow = 4;
  std::array<int64_t, 256> steps{};
  int64_t all = 0;
  for (int y = 0; y < page.height_px(); y += kEveryRow) {
    const uint8_t* row = page.row(y);
    for (int x = 1; x < page.width_px(); ++x, ++all)
      ++steps[size_t(std::abs(row[3 * x + 1] - row[3 * x - 2]))];
  }
  int median = 0;
  for (int64_t seen = steps[0]; 2 * seen < all; seen += steps[size_t(++median)]) continue;
  return median * 1.48 / std::numbers::sqrt2;
}

/// Paints the box with the mean level of the pixels right around it.
void paint_over(PageImage& page, const Box& box) {
  const Box around = intersect({box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1},
                               {0, 0, page.width_px(), page.height_px()});
  const auto inside = [&](int x, int y) {
    return x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
  };
  for (int c = 0; c < 3; ++c) {
    int sum = 0, count = 0;
    for (int y = around.y0; y < around.y1; ++y)
      for (int x = around.x0; x < around.x1; ++x)
        if (!inside(x, y)) sum += page.row(y)[3 * x + c], ++count;
    for (int y = box.y0; y < box.y1 && count > 0; ++y)
      for (int x = box.x0; x < box.x1; ++x) page.row(y)[3 * x + c] = uint8_t(sum / count);
  }
}

/// The page without dots of a few pixels that nothing is near, where there are more than print
/// has. (Those of a scan that was scaled are no single pixels.)
PageImage without_lone_dots(PageImage page) {
  constexpr double kInk = 0.75;                  // of the paper's level
  constexpr double kDot = 0.017, kApart = 0.05;  // inches; the dots of a leader stand nearer
  constexpr double kMost = 1;                    // a square inch
  const int level = int(kInk * median(green_of(page)));
  const PixPtr dark = dark_pixels(page, level);
  if (!dark) return page;
  const int side = int(std::lround(kDot * page.dpi()));
  const int apart = int(std::lround(kApart * page.dpi()));
  const Box whole{0, 0, page.width_px(), page.height_px()};
  const auto ink = [&](const Box& box) {
    int count = 0;
    for (int y = box.y0; y < box.y1; ++y)
      for (int x = box.x0; x < box.x1; ++x) count += page.row(y)[3 * x + 1] < level;
    return count;
  };
  std::vector<Box> dots = boxes_of_pieces(dark.get());
  std::erase_if(dots, [&](const Box& dot) {
    if (std::max(dot.width(), dot.height()) > side) return true;
    return ink(dot) !=
           ink(intersect({dot.x0 - apart, dot.y0 - apart, dot.x1 + apart, dot.y1 + apart}, whole));
  });
  if (double(dots.size()) < kMost * double(whole.area()) / (page.dpi() * page.dpi())) return page;
  for (const Box& dot : dots)
    paint_over(page, intersect({dot.x0 - 1, dot.y0 - 1, dot.x1 + 1, dot.y1 + 1}, whole));
  return page;
}

/// The page without single pixels that differ from all around them, where print has fewer.
PageImage without_single_pixels(const PageImage& page) {
  const int width = page.width_px(), height = page.height_px();
  const std::vector<uint8_t> green = green_of(page);
  const std::array<std::ptrdiff_t, 8> around = {-1,         1,     -width - 1, -width,
                                                -width + 1, width, width - 1,  width + 1};
  std::vector<size_t> specks;
  size_t dark = 0;
  for (int y = 1; y + 1 < height; ++y)
    for (int x = 1; x + 1 < width; ++x) {
      const size_t at = size_t(y) * size_t(width) + size_t(x);
      bool darker = true, lighter = true;
      for (size_t i = 0; i < around.size() && (darker || lighter); ++i) {
        const int step = int(green[at + size_t(around[i])]) - green[at];
        darker &= step > kContrast;
        lighter &= step < -kContrast;
      }
      if (darker || lighter) specks.push_back(at);
      dark += darker;
    }
  if (double(dark) < kLeastShare * double(green.size())) return page;
  PageImage out = page;
  for (const size_t at : specks) {
    const int x = int(at % size_t(width)), y = int(at / size_t(width));
    for (int c = 0; c < 3; ++c) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (dx != 0 || dy != 0) sum += page.row(y + dy)[3 * (x + dx) + c];
      out.row(y)[3 * x + c] = uint8_t(sum / 8);
    }
  }
  return out;
}

}  // namespace

PageImage without_grain(const PageImage& page) {
  constexpr double kCoarse = 10;  // levels; a clean scan has 1 to 4
  if (page.width_px() < 3 || page.height_px() < 3 || grain_of(page) < kCoarse) return page;
  PageImage out = page;
  for (int y = 1; y + 1 < page.height_px(); ++y) {
    const uint8_t *above = page.row(y - 1), *row = page.row(y), *below = page.row(y + 1);
    uint8_t* to = out.row(y);
    for (int i = 3; i < 3 * (page.width_px() - 1); ++i) {
      const auto across = [i](const uint8_t* of) { return of[i - 3] + 2 * of[i] + of[i + 3]; };
      to[i] = uint8_t((across(above) + 2 * across(row) + across(below) + 8) / 16);
    }
  }
  return out;
}

PageImage without_specks(const PageImage& page) {
  if (page.dpi() < kLeastDpi) return page;
  return without_lone_dots(without_single_pixels(page));
}

}  // namespace docspec
