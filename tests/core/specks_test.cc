#include "core/specks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace docspec {
namespace {

/// White with a black bar and `specks` black points, each alone.
PageImage page_with(int specks) {
  PageImage page(1, 200, 200, 72);
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
  PageImage strokes(1, 200, 200, 72);  // lines one pixel wide have neighbours of their own
  for (int y = 0; y < 200; y += 4) std::memset(strokes.row(y), 0, 600);
  EXPECT_EQ(dark(without_specks(strokes)), 50 * 200);
  EXPECT_EQ(dark(without_specks(PageImage(1, 1, 1, 72))), 0);
}

}  // namespace
}  // namespace docspec
