#include "core/page/rotation.h"

#include <gtest/gtest.h>

#include <random>

namespace docspec {
namespace {

TEST(Rotation, ATurnedBoxHoldsWhatItHeld) {
  PageImage image(1, 300, 200, 72);
  const Box box{200, 30, 240, 50};
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x) image.row(y)[x * 3] = 0;
  const PageImage turned = rotate(image, 2);
  const Box seen = rotate(box, 2, 300, 200);
  EXPECT_GT(seen.y0, box.y0) << "clockwise: the right side goes down";
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 300; ++x)
      if (turned.row(y)[x * 3] < 128) {
        EXPECT_FALSE(intersect(seen, {x, y, x + 1, y + 1}).empty()) << x << " " << y;
      }
}

TEST(Rotation, UnrotateFindsTheBoxThatWasTurned) {
  std::mt19937 rng(4);
  for (int i = 0; i < 500; ++i) {
    const int x = 100 + int(rng() % 500), y = 100 + int(rng() % 700);
    const Box box{x, y, x + 20 + int(rng() % 400), y + 8 + int(rng() % 200)};
    const double degrees = (double(rng() % 1001) - 500) / 200;
    const Box found = unrotate(rotate(box, degrees, 1200, 1200), degrees, 1200, 1200);
    EXPECT_NEAR(found.x0, box.x0, 2) << degrees;
    EXPECT_NEAR(found.y0, box.y0, 2) << degrees;
    EXPECT_NEAR(found.x1, box.x1, 2) << degrees;
    EXPECT_NEAR(found.y1, box.y1, 2) << degrees;
  }
  EXPECT_EQ(unrotate({5, 6, 70, 80}, 0, 100, 100), (Box{5, 6, 70, 80}));
}

}  // namespace
}  // namespace docspec
