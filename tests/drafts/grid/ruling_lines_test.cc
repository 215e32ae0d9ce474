#include "drafts/grid/ruling_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace docspec {
namespace {

void paint(PageImage& image, const Box& box, uint8_t level) {
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x)
      for (int c = 0; c < 3; ++c) image.row(y)[3 * x + c] = level;
}

bool has_line_at(const std::vector<Box>& lines, int y) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const Box& line) { return std::abs(line.y0 - y) <= 2; });
}

TEST(RulingLines, OfAScanAreFoundWithinShadeAndAtItsEdge) {
  PageImage image(1, 800, 600, 150);
  paint(image, {100, 100, 700, 200}, 180);  // the head of a table
  for (const int y : {100, 150, 200, 300}) paint(image, {100, y, 700, y + 2}, 0);
  for (const int x : {100, 400, 700}) paint(image, {x, 100, x + 2, 302}, 0);
  const RulingLines lines = find_ruling_lines(image, 1);
  for (const int y : {100, 150, 200, 300}) EXPECT_TRUE(has_line_at(lines.across, y)) << y;
  EXPECT_EQ(lines.across.size(), 4u);
  ASSERT_EQ(lines.down.size(), 3u);
  for (const Box& line : lines.down) EXPECT_GT(line.height(), 190);
}

TEST(RulingLines, AThickOneDoesNotCutThoseThatCrossIt) {
  PageImage image(1, 800, 600, 200);
  for (const int y : {100, 200, 300}) paint(image, {100, y, 700, y + 9}, 0);
  for (const int x : {100, 400, 700}) paint(image, {x, 100, x + 3, 309}, 0);
  const RulingLines lines = find_ruling_lines(image, 1);
  ASSERT_EQ(lines.down.size(), 3u);
  for (const Box& line : lines.down) EXPECT_GT(line.height(), 190);
}

TEST(RulingLines, TheEdgeOfShadeAloneIsNone) {
  PageImage image(1, 800, 600, 150);
  paint(image, {100, 100, 700, 200}, 180);
  const RulingLines lines = find_ruling_lines(image, 1);
  EXPECT_TRUE(lines.across.empty());
  EXPECT_TRUE(lines.down.empty());
}

TEST(ColumnRules, TiltAndBreakAndAreLong) {
  PageImage image(1, 800, 1000, 150);
  for (int piece = 0; piece < 6; ++piece)  // one that tilts, with breaks of 20 pixels
    paint(image, {400 + 2 * piece, 100 + 120 * piece, 402 + 2 * piece, 200 + 120 * piece}, 0);
  paint(image, {100, 100, 102, 220}, 0);  // the side of a box
  const std::vector<Box> rules = find_column_rules(image, 2, 150);
  ASSERT_EQ(rules.size(), 6u);
  for (int piece = 0; piece < 5; ++piece) {
    EXPECT_EQ(rules[size_t(piece)].x0, 800 + 4 * piece);
    EXPECT_EQ(rules[size_t(piece)].y1, rules[size_t(piece) + 1].y0);
  }
}

TEST(ColumnRules, TheGroundBetweenLightLettersIsNone) {
  PageImage image(1, 800, 1000, 150);
  paint(image, {300, 60, 700, 940}, 60);
  for (int row = 0; row < 26; ++row)
    for (const int x : {320, 370, 420, 470}) {
      paint(image, {x, 80 + 32 * row, x + 4, 108 + 32 * row}, 250);  // "ll"
      paint(image, {x + 8, 80 + 32 * row, x + 12, 108 + 32 * row}, 250);
    }
  EXPECT_TRUE(find_column_rules(image, 1, 150).empty());
}

}  // namespace
}  // namespace docspec
