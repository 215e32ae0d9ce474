#include "core/page/specks.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <vector>

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

}  // namespace docspec
