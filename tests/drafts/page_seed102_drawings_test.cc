// What was misread of drawings (seed 102): drawings in frames that look like ruled tables, and
// listings that are drawn.
#include <gtest/gtest.h>

#include "drafts/layout/drawn_prose.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

std::string stroke(double x0, double y0, double x1, double y1) {
  return std::to_string(x0) + " " + std::to_string(y0) + " m " + std::to_string(x1) + " " +
         std::to_string(y1) + " l S\n";
}

/// A frame with two walls across and down it, a title in running text, and a word in two of five
/// cells.
PdfPage page_with_frame(bool drawn) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  const double x = 72, y = 400, width = 300, height = 180;
  page.drawing += test::frame(x, y, width, height);
  for (const double row : {30.0, 60.0, 90.0, 120.0, 150.0})
    page.drawing += test::rule(x, x + width, y + row);
  for (const double column : {75.0, 150.0, 225.0})
    page.drawing += test::rectangle("f", x + column, y, 0.6, 150);
  page.lines.push_back({x + 5, y + 167, "Entities are spread across some scopes by their key", 9});
  for (int i = 0; i < 8; ++i)
    page.lines.push_back(
        {x + 75 * (i % 4) + 8, y + 40 + 60 * (i / 4), "key" + std::to_string(i), 9});
  for (int i = 0; drawn && i < 12; ++i)
    page.drawing += stroke(x + 10 + 20 * i, y + 5, x + 50 + 20 * i, y + 145);
  add_prose(page, 72, 370, 6);
  return page;
}

TEST(PageSeed102Drawings, ADrawingInAFrameIsNoTable) {
  const std::string text = markdown_of(page_with_frame(true));
  expect_lacks(text, "<t");
  expect_lacks(text, "|");
  expect_lacks(text, "key1");
  expect_has(text, "Entities are spread across some scopes by their key");
  expect_has(markdown_of(page_with_frame(false)), "key1");
  PdfPage slide = page_with_frame(true);
  slide.lines.push_back({80, 420, "running text in one of its boxes says it is none", 9});
  expect_has(markdown_of(slide), "key1");
}

Region region_of(RegionKind kind, const Box& box) {
  Region region;
  region.kind = kind;
  region.box = box;
  return region;
}

TEST(PageSeed102Drawings, AListingIsDrawnUpToTheTextAboveAndBelow) {
  PageImage image(1, 600, 800, 72);
  for (int y = 0; y < 800; ++y)
    for (int x = 0; x < 600; ++x) {
      const bool row = y > 200 && y < 600 && y % 25 > 5 && y % 25 < 20;
      const int end = y / 25 % 3 == 0 ? 500 : 250;
      const bool letter = row && x > 100 && x < end && x % 9 < 3 && (y + x) % 3 > 0;
      std::fill_n(image.row(y) + size_t(x) * 3, 3, letter ? uint8_t(0) : uint8_t(255));
    }
  PageInput page;
  page.image = &image;
  page.width_px = 600, page.height_px = 800;
  std::vector<Region> regions = {region_of(RegionKind::text, {50, 100, 550, 180}),
                                 region_of(RegionKind::picture, {100, 300, 400, 345}),
                                 region_of(RegionKind::picture, {100, 500, 450, 545}),
                                 region_of(RegionKind::caption, {50, 620, 550, 640})};
  const std::vector<Box> found = find_drawn_prose(page, regions);
  ASSERT_EQ(found.size(), 1u) << "both pictures are of one listing";
  EXPECT_LT(found[0].y0, 210);
  EXPECT_GT(found[0].y1, 590);
  EXPECT_GT(found[0].x1, 490);
  regions.push_back(region_of(RegionKind::text, {460, 250, 590, 560}));
  EXPECT_TRUE(find_drawn_prose(page, regions).empty()) << "text stands at its side";
}

/// Eight rows of light dashes on dark paper, most of them short, and above them a drawing where
/// `drawing` says so.
PageImage dark_rows(bool drawing) {
  PageImage image(1, 600, 400, 72);
  for (int y = 0; y < 400; ++y)
    for (int x = 0; x < 600; ++x) {
      const int end = y / 40 % 3 == 0 ? 560 : 200;
      const bool letter = y > 80 && y % 40 > 10 && y % 40 < 26 && x > 30 && x < end && x % 9 < 4 &&
                          (y % 40 + x) % 3 > 0;
      const bool drawn = drawing && y > 4 && y < 230 && (x + y) % 40 < 3;
      std::fill_n(image.row(y) + size_t(x) * 3, 3, letter || drawn ? uint8_t(230) : uint8_t(30));
    }
  return image;
}

TEST(PageSeed102Drawings, LightTextOnDarkPaperIsFound) {
  PageInput page;
  page.width_px = 600, page.height_px = 400;
  const std::vector<Region> regions = {region_of(RegionKind::picture, {0, 0, 600, 400})};
  const PageImage text = dark_rows(false), drawing = dark_rows(true);
  page.image = &text;
  EXPECT_EQ(find_dark_prose(page, regions).size(), 1u);
  page.image = &drawing;
  EXPECT_TRUE(find_dark_prose(page, regions).empty());
  PageImage light = dark_rows(false);
  for (int y = 0; y < 400; ++y)
    for (int x = 0; x < 1800; ++x) light.row(y)[x] = uint8_t(255 - light.row(y)[x]);
  page.image = &light;
  EXPECT_TRUE(find_dark_prose(page, regions).empty()) << "short lines on light paper are labels";
}

}  // namespace
}  // namespace docspec
