#include "core/page/specks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>

namespace docspec {
namespace {

/// White with a black bar and `specks` black points, each alone.
PageImage page_with(int specks, double dpi = 150) {
  PageImage page(1, 200, 200, dpi);
  for (int y = 90; y < 110; ++y) std::memset(page.row(y) + 3 * 20, 0, 3 * 160);
  for (int i = 0; i < specks; ++i)
    std::memset(page.row(2 + 2 * (i / 60)) + 3 * (3 + 3 * (i % 60)), 0, 3);
  return page;
}

int dark(const PageImage& page) {
  int count = 0;
  for (int y = 0; y < page.height_px(); ++y)
    for (int x = 0; x < page.width_px(); ++x) count += page.row(y)[3 * x] < 128;
  return count;
}

TEST(Specks, AreTakenAwayWhereTheyAreMany) {
  EXPECT_EQ(dark(page_with(120)), 3200 + 120);
  EXPECT_EQ(dark(without_specks(page_with(120))), 3200);
}

TEST(Specks, OfPrintStay) {
  EXPECT_EQ(dark(without_specks(page_with(12))), 3200 + 12) << "the dots of a page's letters";
  EXPECT_EQ(dark(without_specks(page_with(120, 72))), 3200 + 120) << "each dot is one pixel";
  PageImage strokes(1, 200, 200, 150);  // lines one pixel wide have neighbours of their own
  for (int y = 0; y < 200; y += 4) std::memset(strokes.row(y), 0, 600);
  EXPECT_EQ(dark(without_specks(strokes)), 50 * 200);
  EXPECT_EQ(dark(without_specks(PageImage(1, 1, 1, 72))), 0);
}

/// Three inches square at 200 dpi: a bar, and dots of 2 x 2 pixels at every `step` pixels.
PageImage dotted(int step) {
  PageImage page(1, 600, 600, 200);
  for (int y = 290; y < 310; ++y) std::memset(page.row(y) + 3 * 100, 0, 3 * 400);
  for (int y = 20; y < 250; y += step)
    for (int x = 20; x < 580; x += step)
      for (int row = y; row < y + 2; ++row) std::memset(page.row(row) + 3 * x, 0, 6);
  return page;
}

TEST(Specks, LoneDotsOfSomePixelsAreTakenAway) {
  EXPECT_EQ(dark(without_specks(dotted(40))), 20 * 400) << "as a scan that was scaled has them";
  EXPECT_EQ(dark(without_specks(dotted(8))), dark(dotted(8))) << "a pattern, as print has it";
  EXPECT_EQ(dark(without_specks(dotted(250))), dark(dotted(250))) << "few";
}

/// Gray paper with a black bar and noise of a standard deviation.
PageImage grainy(double sigma) {
  std::mt19937 rng(2);
  std::normal_distribution<double> noise(0, std::max(1e-9, sigma));
  PageImage page(1, 200, 200, 72);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) {
      const double level = (y >= 90 && y < 110 && x >= 20 && x < 180 ? 0 : 200) + noise(rng);
      std::memset(page.row(y) + 3 * x, int(std::clamp(level, 0.0, 255.0)), 3);
    }
  return page;
}

TEST(Grain, IsSmoothedWhereItIsCoarse) {
  const PageImage fine = grainy(4), coarse = grainy(20);
  EXPECT_EQ(std::memcmp(without_grain(fine).row(0), fine.row(0), 3 * 200 * 200), 0);
  const PageImage smooth = without_grain(coarse);
  const auto rough = [](const PageImage& page) {
    double sum = 0;
    for (int y = 10; y < 80; ++y)
      for (int x = 10; x < 190; ++x) sum += std::abs(page.row(y)[3 * x] - 200);
    return sum;
  };
  EXPECT_LT(rough(smooth), 0.5 * rough(coarse));
  EXPECT_LT(smooth.row(100)[3 * 100], 60) << "print stays";
  EXPECT_EQ(without_grain(PageImage(1, 1, 1, 72)).width_px(), 1);
}

}  // namespace
}  // namespace docspec
