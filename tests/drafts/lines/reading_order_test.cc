#include "drafts/lines/reading_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace docspec {
namespace {

using Order = std::vector<int>;

TEST(ReadingOrder, IsAPermutationOfAnyBoxes) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 rng(seed);
    std::vector<Box> boxes(rng() % 40);
    for (Box& box : boxes) {
      const int x = int(rng() % 900), y = int(rng() % 900);
      box = {x, y, x + int(rng() % 300), y + int(rng() % 200)};
    }
    Order order = reading_order(boxes, 12);
    std::sort(order.begin(), order.end());
    for (int i = 0; i < int(boxes.size()); ++i) ASSERT_EQ(order[i], i) << "seed " << seed;
    ASSERT_EQ(order.size(), boxes.size());
  }
}

TEST(ReadingOrder, ReadsOneColumnFromTheTop) {
  EXPECT_EQ(reading_order(
                std::vector<Box>{{10, 300, 500, 380}, {10, 10, 500, 90}, {30, 120, 400, 200}}, 12),
            (Order{1, 2, 0}));
}

TEST(ReadingOrder, PiecesOfOneRowAreReadFromTheLeftWhereverItStands) {
  for (int y = 100; y < 112; ++y)
    EXPECT_EQ(
        reading_order(
            std::vector<Box>{{0, 0, 400, 20}, {103, y, 180, y + 13}, {35, y + 1, 88, y + 13}}, 12),
        (Order{0, 2, 1}))
        << y;
}

TEST(ReadingOrder, APictureAboveTheGutterLeavesColumnsWhole) {
  const std::vector<Box> boxes = {{383, 0, 700, 60},
                                  {0, 70, 360, 95},
                                  {0, 100, 190, 700},
                                  {200, 100, 390, 300},  // not between the others
                                  {430, 70, 700, 700}};
  EXPECT_EQ(reading_order(boxes, 12), (Order{0, 1, 2, 3, 4}));
}

TEST(ReadingOrder, ReadsAskewColumnsOneAfterTheOther) {
  // A newspaper's page: no straight line passes between its columns, and the last spans two.
  const std::vector<Box> boxes = {{300, 110, 600, 250}, {10, 100, 302, 200},  {308, 260, 610, 380},
                                  {20, 210, 306, 360},  {622, 140, 900, 350}, {28, 370, 312, 500},
                                  {306, 390, 615, 500}, {15, 510, 600, 560}};
  EXPECT_EQ(reading_order(boxes, 12), (Order{1, 3, 5, 0, 2, 6, 7, 4}));
}

TEST(ReadingOrder, ReadsTheLeftColumnBeforeTheRight) {
  // Paragraph breaks at the same heights must not cut the columns into rows.
  const std::vector<Box> boxes = {
      {310, 100, 600, 200}, {10, 100, 290, 200}, {310, 220, 600, 400}, {10, 220, 290, 400}};
  EXPECT_EQ(reading_order(boxes, 12), (Order{1, 3, 0, 2}));
}

TEST(ReadingOrder, ReadsATitleAboveTwoColumnsFirstAndANoteBelowThemLast) {
  const std::vector<Box> boxes = {{10, 500, 600, 540},
                                  {310, 100, 600, 240},
                                  {100, 10, 520, 40},
                                  {10, 100, 290, 480},
                                  {310, 260, 600, 480}};
  EXPECT_EQ(reading_order(boxes, 12), (Order{2, 3, 1, 4, 0}));
}

TEST(ReadingOrder, ReadsTwoColumnsAroundAPictureBeforeIt) {
  // The left column is one box, the right one in two; the picture and its caption lie across.
  const std::vector<Box> boxes = {{200, 100, 400, 300},
                                  {220, 310, 380, 325},
                                  {310, 20, 600, 90},
                                  {10, 20, 290, 480},
                                  {420, 95, 600, 480}};
  EXPECT_EQ(reading_order(boxes, 12), (Order{3, 2, 4, 0, 1}));
  // With text on one side alone it ends the columns.
  const std::vector<Box> wide = {{10, 20, 290, 90},
                                 {310, 20, 600, 90},
                                 {10, 100, 600, 300},
                                 {10, 310, 290, 480},
                                 {310, 310, 600, 480}};
  EXPECT_EQ(reading_order(wide, 12), (Order{0, 1, 2, 3, 4}));
}

TEST(ReadingOrder, KeepsRowsOfLabelsAndValues) {
  const std::vector<Box> boxes = {
      {10, 10, 80, 22}, {200, 10, 260, 22}, {10, 40, 80, 52}, {200, 40, 260, 52}};
  EXPECT_EQ(reading_order(boxes, 12), (Order{0, 1, 2, 3}));
}

TEST(ReadingOrder, ReadsACaptionBeforeTheTableThatItsBoxTouches) {
  const std::vector<Box> boxes = {{5, 24, 300, 200}, {10, 10, 250, 28}};
  EXPECT_EQ(reading_order(boxes, 40), (Order{1, 0}));
}

}  // namespace
}  // namespace docspec
