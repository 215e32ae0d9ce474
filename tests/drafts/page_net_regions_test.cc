// Regions that a net finds on a page: drawings it is sure of, and a detector in place of the rules.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::PdfPage;

/// Finds what it is told, in points of a page of US letter.
struct ToldNet : PageNet {
  struct Told {
    RegionKind kind;
    double x0, y0, x1, y1, score;
  };
  std::vector<Told> told;
  explicit ToldNet(std::vector<Told> regions) : told(std::move(regions)) {}

  std::vector<FoundRegion> find(const PageImage& image) const override {
    std::vector<FoundRegion> found;
    for (const Told& region : told)
      found.push_back({region.kind, image.to_pixels({region.x0, region.y0, region.x1, region.y1}),
                       region.score});
    return found;
  }
};

/// The blocks of a page and how often the net was opened.
struct Told {
  std::vector<Block> blocks;
  int opened = 0;

  Told(const PdfPage& page, const std::string& detector, std::vector<ToldNet::Told> regions,
       const std::string& source = "text-layer") {
    const auto reader = open_document(test::input(test::make_pdf({page})), "");
    PageDraftOptions options;
    options.sources = {source};
    options.detector = detector;
    const auto open = [this, regions]() -> std::unique_ptr<PageNet> {
      ++opened;
      return std::make_unique<ToldNet>(regions);
    };
    (detector == "regions" ? options.config.region_net : options.config.picture_net) = open;
    blocks = page_blocks(PageDrafter(options).draft(*reader, 1).drafts).blocks;
  }
  /// The kind of the block that holds `text`, "" where no block does.
  std::string kind_of(const std::string& text) const {
    for (const Block& block : blocks)
      if (block.text.find(text) != std::string::npos) return std::string(name(block.kind));
    return "";
  }
};

/// Three boxes with labels and a line between them, from (150, 200) to (450, 320), top left.
PdfPage page_with_drawing() {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.drawing =
      "1 w 150 500 80 60 re S 260 500 80 60 re S 370 500 80 60 re S 230 530 m 370 530 l S "
      "190 560 m 190 592 l 410 592 l 410 560 l S\n";
  page.lines.push_back({165, 527, "reader", 9});
  page.lines.push_back({275, 527, "layout", 9});
  page.lines.push_back({385, 527, "writer", 9});
  add_prose(page, 72, 440, 6);
  return page;
}

TEST(PageNetRegions, ADrawingThatTheNetIsSureOfTakesItsLabels) {
  const PdfPage page = page_with_drawing();
  EXPECT_NE(Told(page, "lines", {}).kind_of("layout"), "");
  const Told told(page, "pictures", {{RegionKind::picture, 148, 198, 452, 294, 0.97}});
  EXPECT_EQ(told.kind_of("layout"), "");
  EXPECT_EQ(told.kind_of("plain words"), "Text");
  EXPECT_EQ(told.opened, 1);
}

TEST(PageNetRegions, ADoubtfulOneOrOneWithProseDoesNot) {
  const PdfPage page = page_with_drawing();
  EXPECT_NE(
      Told(page, "pictures", {{RegionKind::picture, 148, 198, 452, 294, 0.93}}).kind_of("layout"),
      "");
  EXPECT_NE(
      Told(page, "pictures", {{RegionKind::picture, 60, 40, 552, 294, 0.97}}).kind_of("layout"),
      "");
}

TEST(PageNetRegions, TheNetIsNotOpenedForAPageOfText) {
  PdfPage page;
  add_prose(page, 72, 740, 30);
  EXPECT_EQ(Told(page, "pictures", {}).opened, 0);
}

TEST(PageNetRegions, ARuledTableOfAScanIsNoFormulaForTheNet) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  for (int row = 0; row <= 3; ++row) page.drawing += test::rule(200, 400, 560 - 20 * row);
  for (const int x : {200, 290, 400}) page.drawing += test::rectangle("f", x, 500, 0.6, 60);
  const char* const kCells[][2] = {{"No.", "P"}, {"12", "0.7158"}, {"34", "0.2841"}};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 2; ++column)
      page.lines.push_back({206.0 + 90 * column, 545.0 - 20 * row, kCells[row][column], 11});
  add_prose(page, 72, 470, 6);
  const Told told(page, "pictures", {{RegionKind::formula, 198, 230, 402, 294, 0.9}}, "tesseract");
  EXPECT_EQ(told.kind_of("0.7158"), "Table");
}

TEST(PageNetRegions, ADetectorTellsKindsWhereItFindsRegions) {
  PdfPage page;
  page.lines.push_back({72, 740, "Plain words at the top", 10});
  add_prose(page, 72, 700, 4);
  page.lines.push_back({72, 560, "name", 10});
  page.lines.push_back({200, 560, "place", 10});
  page.lines.push_back({72, 545, "one", 10});
  page.lines.push_back({200, 545, "two", 10});
  add_prose(page, 72, 400, 4, "another line of the same words that is about as long");
  const Told told(page, "regions",
                  {{RegionKind::title, 60, 35, 400, 60, 0.9},
                   {RegionKind::table, 60, 215, 400, 255, 0.8},
                   {RegionKind::footnote, 60, 370, 552, 450, 0.6}});
  EXPECT_EQ(told.kind_of("Plain words at"), "Title");
  EXPECT_EQ(told.kind_of("place"), "Table");
  EXPECT_EQ(told.kind_of("another line"), "Footnote");
  EXPECT_EQ(told.kind_of("a line of plain words"), "Text");
}

}  // namespace
}  // namespace docspec
