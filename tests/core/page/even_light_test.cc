#include "core/page/even_light.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace docspec {
namespace {

using Level = std::function<double(int x, int y)>;

/// Bars of ink, three pixels wide and twelve apart, on paper.
PageImage bars(const Level& paper, const Level& ink, double noise = 0) {
  std::mt19937 rng(4);
  std::normal_distribution<double> grain(0, noise > 0 ? noise : 1);
  PageImage page(1, 400, 300, 200);
  for (int y = 0; y < 300; ++y)
    for (int x = 0; x < 400; ++x) {
      const bool inked = x % 12 < 3 && x > 20 && x < 380 && y > 20 && y < 280;
      const double level = (inked ? ink(x, y) : paper(x, y)) + (noise > 0 ? grain(rng) : 0);
      std::fill_n(page.row(y) + 3 * x, 3, uint8_t(std::clamp(level, 0.0, 255.0)));
    }
  return page;
}

Level flat(double level) {
  return [=](int, int) { return level; };
}

bool equal(const PageImage& a, const PageImage& b) {
  return std::equal(a.row(0), a.row(0) + 400 * 300 * 3, b.row(0));
}

TEST(EvenLight, LeavesAPageThatIsWhiteAndBlack) {
  const PageImage page = bars(flat(255), flat(10));
  EXPECT_TRUE(equal(evenly_lit(page), page));
}

TEST(EvenLight, LeavesPagesWithoutInkAndDarkOnes) {
  const PageImage blank = bars(flat(190), flat(190), 3), dark = bars(flat(20), flat(50));
  EXPECT_TRUE(equal(evenly_lit(blank), blank));
  EXPECT_TRUE(equal(evenly_lit(dark), dark));
}

TEST(EvenLight, MakesPaleInkOnUnevenPaperBlackOnWhite) {
  const Level paper = [](int x, int y) { return 240 - 0.15 * x - 0.1 * y; };
  const Level ink = [&](int x, int y) { return 0.6 * paper(x, y); };
  const PageImage shown = evenly_lit(bars(paper, ink, 2));
  for (const int y : {30, 150, 270})
    for (const int bar : {36, 192, 348}) {
      EXPECT_LT(shown.row(y)[3 * (bar + 1)], 50) << bar << ' ' << y;
      EXPECT_GT(shown.row(y)[3 * (bar + 7)], 220) << bar << ' ' << y;
    }
}

TEST(EvenLight, KeepsSizeAndPage) {
  const PageImage shown = evenly_lit(bars(flat(200), flat(120)));
  EXPECT_EQ(shown.width_px(), 400);
  EXPECT_EQ(shown.height_px(), 300);
  EXPECT_EQ(shown.dpi(), 200);
  EXPECT_EQ(shown.page(), 1);
}

}  // namespace
}  // namespace docspec
