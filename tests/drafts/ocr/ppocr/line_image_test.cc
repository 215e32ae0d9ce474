#include "drafts/ocr/ppocr/line_image.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

void paint(PageImage& image, const Box& box) {
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x)
      for (int c = 0; c < 3; ++c) image.row(y)[3 * x + c] = 0;
}

TEST(LineInk, ARuleBetweenTwoCellsIsNoLetter) {
  PageImage page(1, 300, 48, 150);
  for (const int x : {20, 60, 100, 180, 220, 260}) paint(page, {x, 10, x + 6, 38});  // letters
  paint(page, {140, 0, 143, 48});
  const auto line = ppocr::cut_line(page, {150, 24, 300, 48, 0, 1}, 1000);
  const ppocr::LineInk ink(line);
  EXPECT_TRUE(ink.rule_between(103, 183));
  EXPECT_FALSE(ink.rule_between(23, 103));
  EXPECT_FALSE(ink.rule_between(183, 263));
}

TEST(LineInk, ADarkBarBetweenLettersIsNoRule) {
  PageImage page(1, 300, 48, 150);
  for (const int x : {20, 60, 220, 260}) paint(page, {x, 10, x + 6, 38});
  paint(page, {120, 0, 150, 48});
  const auto line = ppocr::cut_line(page, {150, 24, 300, 48, 0, 1}, 1000);
  EXPECT_FALSE(ppocr::LineInk(line).rule_between(63, 223));
}

TEST(LineInk, LettersOfAPosterAreTheInkThoughTheyAreMostOfTheLine) {
  PageImage page(1, 320, 48, 150);
  for (int x = 3; x < 320; x += 40) paint(page, {x, 6, x + 34, 42});
  const auto line = ppocr::cut_line(page, {160, 24, 320, 48, 0, 1}, 1000);
  const ppocr::LineInk ink(line);
  EXPECT_EQ(ink.box_of({40, 80}), (Box{43, 6, 77, 42}));
  EXPECT_EQ(ink.gap_width_between_ink(20, 60), 6);
}

/// A line whose box ends at 72 and 120, with four letters and `mark` over or under them.
ppocr::LineImage line_with(const Box& mark) {
  PageImage page(1, 300, 200, 150);
  for (const int x : {20, 80, 200, 260}) paint(page, {x, 84, x + 6, 108});
  paint(page, mark);
  return ppocr::cut_line(page, {150, 96, 300, 48, 0, 1}, 1000);
}

bool is_dark(const ppocr::LineImage& line, int x, int y) {
  return line.pixels[size_t(y) * size_t(line.width) + size_t(x)] < 0;
}

TEST(LineImage, TheRowsOfALevelLineAreRowsOfThePage) {
  PageImage page(1, 300, 200, 150);
  paint(page, {20, 84, 26, 108});
  // A detector's box, whose edges are within a pixel of 72, 120, 0 and 300.
  const auto line = ppocr::cut_line(page, {150.2, 95.7, 300.3, 47.9, 0, 1}, 1000);
  ASSERT_EQ(line.width, 300);
  for (int y = 0; y < 48; ++y)
    EXPECT_EQ(line.pixels[size_t(y) * 300 + 23], y >= 12 && y < 36 ? -1 : 1) << y;
}

TEST(LineImage, AFootOfTheLineAboveIsNoAccent) {
  EXPECT_FALSE(is_dark(line_with({140, 50, 146, 80}), 143, 5));
}

TEST(LineImage, AHeadOfTheLineBelowIsNoComma) {
  EXPECT_FALSE(is_dark(line_with({140, 112, 146, 140}), 143, 44));
}

TEST(LineImage, AnAccentThatTheEdgeCutsIsKept) {
  EXPECT_TRUE(is_dark(line_with({140, 69, 146, 80}), 143, 5));
}

TEST(LineImage, ALetterThatReachesOutOfTheLineIsKept) {
  EXPECT_TRUE(is_dark(line_with({140, 50, 146, 108}), 143, 5));
}

}  // namespace
}  // namespace docspec
