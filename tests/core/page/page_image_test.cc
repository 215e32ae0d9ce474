#include "core/page/page_image.h"

#include <gtest/gtest.h>

#include <random>

namespace docspec {
namespace {

TEST(PageImage, PixelsToPointsAndBackIsTheIdentity) {
  std::mt19937 rng(7);
  for (double dpi : {72.0, 96.0, 150.0, 200.0, 300.0, 167.3}) {
    PageImage image(1, 10, 10, dpi);
    for (int i = 0; i < 200; ++i) {
      const int x = int(rng() % 5000), y = int(rng() % 5000);
      const Box box{x, y, x + int(rng() % 900), y + int(rng() % 900)};
      EXPECT_EQ(image.to_pixels(image.to_points(box)), box) << "dpi " << dpi;
    }
  }
}

TEST(PageImage, CropsCompose) {
  PageImage image(3, 60, 40, 100);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 60; ++x) image.row(y)[x * 3] = uint8_t(x + y * 3);
  const PageImage twice = image.crop({10, 5, 50, 35}).crop({3, 4, 20, 10});
  const PageImage once = image.crop({13, 9, 30, 15});
  ASSERT_EQ(twice.width_px(), once.width_px());
  for (int y = 0; y < once.height_px(); ++y)
    for (int x = 0; x < once.width_px() * 3; ++x) EXPECT_EQ(twice.row(y)[x], once.row(y)[x]);
  EXPECT_EQ(twice.page(), 3);
}

TEST(PageImage, RefusesCropsOutsideAndEmptySides) {
  PageImage image(1, 8, 8, 72);
  EXPECT_THROW(image.crop({8, 0, 12, 4}), std::invalid_argument);
  EXPECT_THROW(PageImage(1, 0, 4, 72), std::invalid_argument);
  EXPECT_THROW(PageImage(1, 4, 4, 0), std::invalid_argument);
}

TEST(Box, IntersectionUnionAndIou) {
  const Box a{0, 0, 10, 10}, b{5, 5, 15, 15};
  EXPECT_EQ(intersect(a, b), (Box{5, 5, 10, 10}));
  EXPECT_EQ(unite(a, b), (Box{0, 0, 15, 15}));
  EXPECT_DOUBLE_EQ(iou(a, b), 25.0 / 175.0);
  EXPECT_EQ(pad({2, 2, 9, 9}, 3, 10, 11), (Box{0, 0, 10, 11}));
  EXPECT_DOUBLE_EQ(iou({1, 1, 1, 1}, {1, 1, 1, 1}), 0);
}

}  // namespace
}  // namespace docspec
