#include "drafts/layout/drawing_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/page/ink_map.h"

namespace docspec {
namespace {

void fill(PageImage& image, const Box& box) {
  for (int y = box.y0; y < box.y1; ++y)
    std::fill_n(image.row(y) + 3 * box.x0, 3 * box.width(), uint8_t(0));
}

/// Rows of numbers of a scan, with points between them and a line of dashes below each row; the
/// drawings that are found there.
std::vector<Box> drawings() {
  PageImage image(1, 800, 400, 72);
  for (int y = 0; y < image.height_px(); ++y)
    std::fill_n(image.row(y), 3 * image.width_px(), uint8_t(255));
  std::vector<Word> words;
  for (int row = 0; row < 9; ++row) {
    const int y = 100 + 12 * row;
    for (const int x : {50, 650}) {
      words.push_back({"0.99", {x, y, x + 60, y + 8}});
      words.back().line = row + 1;
    }
    for (int x = 130; x < 640; x += 6) {
      fill(image, {x, y + 6, x + 2, y + 8});
      fill(image, {x, y + 9, x + 4, y + 10});
    }
  }
  PageInput page{1, 800, 400, 72, &image, {}, {}, {}};
  page.words = words;
  const auto lines = group_lines(words, 72);
  return find_drawings(page, lines, InkMap(image, 1));
}

TEST(DrawingFinder, RowsOfPointsAndDashesAreNoDrawing) {
  EXPECT_TRUE(drawings().empty());
}

/// A frame with a cross and two lines of text in it, and three lines below; the drawings.
std::vector<Box> framed(const char* text) {
  PageImage image(1, 600, 800, 72);
  for (int y = 0; y < image.height_px(); ++y)
    std::fill_n(image.row(y), 3 * image.width_px(), uint8_t(255));
  for (const int x : {100, 498}) fill(image, {x, 100, x + 2, 400});
  for (const int y : {100, 398}) fill(image, {100, y, 500, y + 2});
  for (int i = 0; i < 150; ++i) {
    fill(image, {150 + i, 200 + i, 153 + i, 203 + i});
    fill(image, {300 - i, 200 + i, 303 - i, 203 + i});
  }
  std::vector<Word> words;
  int number = 0;
  for (const int y : {120, 150, 500, 540, 580}) {
    words.push_back({y < 400 ? text : "直线过此点时得到的结果如下所示", {150, y, 350, y + 14}});
    words.back().line = ++number;
  }
  PageInput page{1, 600, 800, 72, &image, {}, {}, {}};
  page.words = words;
  const auto lines = group_lines(words, 72);
  return find_drawings(page, lines, InkMap(image, 1));
}

TEST(DrawingFinder, ASolutionInAFrameIsNoDrawing) {
  EXPECT_EQ(framed("销售量").size(), 1u) << "labels";
  EXPECT_TRUE(framed("直线过点时，得").empty());
}

}  // namespace
}  // namespace docspec
