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

}  // namespace
}  // namespace docspec
