#include "drafts/page_drafter.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/base/error.h"
#include "core/document/page_blocks.h"
#include "core/page/rotation.h"
#include "drafts/ocr/orientation.h"
#include "tests/support/pdf_writer.h"
#include "tests/support/png_writer.h"

namespace docspec {
namespace {

using test::input;
using test::make_pdf;
using test::PdfLine;
using test::PdfPage;

/// Lines of body text, 14 points apart.
void paragraph(PdfPage& page, double x, double y, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    page.lines.push_back({x, y, line});
    y -= 14;
  }
}

PdfPage report() {
  PdfPage page;
  page.lines = {{72, 770, "Running header"},
                {72, 700, "A Report on Drafts", 24, "F2"},
                {72, 650, "1 Introduction", 14, "F2"},
                {300, 30, "17"}};
  paragraph(page, 72, 620,
            {"The first paragraph has some words that go on for one whole line, and a hyphen-",
             "ated word in its second line that is followed by more words to fill it up well.",
             "The third line is short."});
  paragraph(page, 72, 560, {"1. the first item", "2. the second item"});
  page.lines.push_back({72, 500, "int main() {", 10, "F3"});
  page.lines.push_back({72, 488, "  return 0;", 10, "F3"});
  page.lines.push_back({72, 476, "}", 10, "F3"});
  const char* cells[4][3] = {{"Name", "Count", "Share"},
                             {"alpha", "12", "0.5"},
                             {"beta", "7", "0.3"},
                             {"gamma", "5", "0.2"}};
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 3; ++column)
      page.lines.push_back({72.0 + 120 * column, 430.0 - 16 * row, cells[row][column]});
  page.lines.push_back({72, 350, "Table 1: Counts of letters."});
  page.drawing = "0.2 0.4 0.6 rg 200 120 200 150 re f 0 g";
  return page;
}

DraftedPage draft(const PdfPage& page, PageDraftOptions options = {}) {
  const auto reader = open_document(input(make_pdf({page})), "");
  return PageDrafter(std::move(options)).draft(*reader, 1);
}

const Block* find_block(const PageBlocks& page, RegionKind kind, size_t skip = 0) {
  for (const Block& block : page.blocks)
    if (block.kind == kind && skip-- == 0) return &block;
  return nullptr;
}

std::string text_of(const PageBlocks& page) {
  std::string text;
  for (const Block& block : page.blocks) text += block.text + "\n";
  return text;
}

TEST(PageDrafter, TellsThePartsOfABornDigitalPage) {
  const DraftedPage page = draft(report());
  EXPECT_TRUE(page.text_layer_trusted);
  EXPECT_FALSE(page.image) << "a page with a text layer needs no full raster";
  const PageBlocks blocks = page_blocks(page.drafts);
  EXPECT_EQ(blocks.level, PageLevel::text_layer);
  using enum RegionKind;
  const std::pair<RegionKind, std::string> expected[] = {
      {page_header, "Running header"},
      {title, "A Report on Drafts"},
      {section_header, "1 Introduction"},
      {text,
       "The first paragraph has some words that go on for one whole line, and a hyphenated word in "
       "its "
       "second line that is followed by more words to fill it up well. The third line is short."},
      {list_item, "1. the first item"},
      {list_item, "2. the second item"},
      {code, "int main() {\n  return 0;\n}"},
      {table, "Name Count Share\nalpha 12 0.5\nbeta 7 0.3\ngamma 5 0.2"},
      {caption, "Table 1: Counts of letters."},
      {picture, ""},
      {page_footer, "17"}};
  ASSERT_EQ(blocks.blocks.size(), std::size(expected)) << text_of(blocks);
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(name(blocks.blocks[i].kind), name(expected[i].first)) << blocks.blocks[i].text;
    EXPECT_EQ(blocks.blocks[i].text, expected[i].second);
    EXPECT_EQ(blocks.blocks[i].order, int(i));
  }
  EXPECT_EQ(*find_block(blocks, title)->level, 1);
  EXPECT_EQ(*find_block(blocks, section_header)->level, 2);
  EXPECT_EQ(find_block(blocks, table)->html->substr(0, 40),
            "<table><tr><td>Name</td><td>Count</td><t");
  EXPECT_NEAR(find_block(blocks, picture)->box_pt.x0, 200, 6);
}

TEST(PageDrafter, LosesNoWordOfTheTextLayer) {
  const auto reader = open_document(input(make_pdf({report()})), "");
  const PageDrafts drafts = PageDrafter({}).draft(*reader, 1).drafts;
  size_t words = 0;
  for (const Draft& draft : drafts.drafts) words += draft.words.size();
  EXPECT_EQ(words, reader->text_layer(1, drafts.dpi).size());
}

TEST(PageDrafter, ReadsColumnsOneAfterTheOther) {
  PdfPage page;
  for (int column = 0; column < 2; ++column)
    for (int row = 0; row < 20; ++row)
      page.lines.push_back(
          {72.0 + 240 * column, 700.0 - 13 * row,
           (column ? "right" : "left") + std::to_string(row) + " and more of the column's words"});
  const std::string text = text_of(page_blocks(draft(page).drafts));
  EXPECT_LT(text.find("left19"), text.find("right0")) << text;
  EXPECT_LT(text.find("right0"), text.find("right19"));
}

TEST(PageDrafter, ReadsAPageWithoutTextLayerByOcr) {
  PageDraftOptions options;
  options.sources = {"tesseract"};
  const DraftedPage page = draft(report(), options);
  ASSERT_TRUE(page.image);
  const PageBlocks blocks = page_blocks(page.drafts);
  EXPECT_EQ(blocks.level, PageLevel::draft);
  const std::string text = text_of(blocks);
  for (const char* part :
       {"A Report on Drafts", "Introduction", "hyphenated word in its second line",
        "the second item", "Counts of letters"})
    EXPECT_NE(text.find(part), text.npos) << part << " is not in:\n" << text;
  EXPECT_LT(text.find("A Report"), text.find("second line"));
}

TEST(PageDrafter, TurnsSidewaysScansUpright) {
  PageDraftOptions options;
  options.sources = {"tesseract"};
  PdfPage page;
  for (int row = 0; row < 12; ++row)
    page.lines.push_back(
        {72, 700.0 - 20 * row, "the quick brown fox jumps by the lazy dog again", 14});
  page.rotate = 90;  // the page asks to be shown sideways
  const DraftedPage read = draft(page, options);
  EXPECT_EQ(read.info.rotation, 0);
  EXPECT_NEAR(read.info.width_pt, 612, 1);
  EXPECT_NE(text_of(page_blocks(read.drafts)).find("quick brown fox"), std::string::npos);
}

TEST(PageDrafter, LeavesABlankPageBlank) {
  const DraftedPage page = draft(PdfPage{});
  EXPECT_TRUE(page.drafts.regions.empty());
  EXPECT_TRUE(page_blocks(page.drafts).blocks.empty());
}

TEST(PageDrafter, ReplaysDraftsAtAnotherResolution) {
  auto file = std::make_shared<DraftsFile>();
  file->pages = {draft(report()).drafts};
  PageDraftOptions options;
  options.sources = {"replay"};
  options.config.replay = file;
  options.dpi = 100;
  const PageDrafts replayed = draft(report(), options).drafts;
  ASSERT_EQ(replayed.regions.size(), file->pages[0].regions.size());
  EXPECT_NEAR(replayed.regions[1].box.x0, file->pages[0].regions[1].box.x0 / 2, 1);
  EXPECT_EQ(text_of(page_blocks(replayed)), text_of(page_blocks(file->pages[0])));
}

TEST(PageDrafter, NamesAMissingLanguageAndItsPackage) {
  PageDraftOptions options;
  options.sources = {"tesseract"};
  options.config.lang = "eng+tlh_old";
  try {
    draft(report(), options);
    FAIL() << "read Klingon";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::dependency);
    const std::string message = error.what();
    EXPECT_NE(message.find("apt-get install tesseract-ocr-tlh-old"), message.npos) << message;
    EXPECT_EQ(message.find("'eng"), message.npos) << "eng is there";
  }
}

TEST(PageDrafter, RefusesUnknownSources) {
  PageDraftOptions options;
  options.sources = {"crystal-ball"};
  try {
    PageDrafter drafter(options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_NE(std::string(error.what()).find("text-layer, ocr, tesseract, ppocr, replay"),
              std::string::npos);
  }
}

TEST(PageDrafter, KeepsTheFrameBelowTheCeiling) {
  PageDraftOptions options;
  options.max_pixels = 300'000;
  options.want_image = true;
  const DraftedPage page = draft(report(), options);
  EXPECT_TRUE(page.dpi_reduced);
  ASSERT_TRUE(page.image);
  EXPECT_LE(page.image->width_px() * page.image->height_px(), 300'000);
  EXPECT_EQ(page.image->width_px(), page.drafts.width_px);
}

TEST(PageDrafter, KeepsTheOwnPixelsOfAnImageFileWhenAsked) {
  PageImage scan(1, 90, 60, 300);
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 270; ++x) scan.row(y)[x] = uint8_t(7 * x + 13 * y);
  const auto bytes = std::make_shared<InputBytes>(InputBytes{"scan.png", test::png_bytes(scan)});
  PageDraftOptions options;
  options.sources = {};
  options.want_image = true;
  const auto reader = open_document(bytes, "");
  EXPECT_NEAR(PageDrafter(options).draft(*reader, 1).image->width_px(), 60, 1) << "at 200 dpi";
  options.own_pixels = true;
  const DraftedPage page = PageDrafter(options).draft(*reader, 1);
  EXPECT_FALSE(page.dpi_reduced);
  ASSERT_EQ(page.image->width_px(), 90);
  ASSERT_EQ(page.image->height_px(), 60);
  for (int y = 0; y < 60; ++y) EXPECT_EQ(std::memcmp(page.image->row(y), scan.row(y), 270), 0);
  options.max_pixels = 2000;
  const DraftedPage reduced = PageDrafter(options).draft(*reader, 1);
  EXPECT_TRUE(reduced.dpi_reduced);
  EXPECT_LE(reduced.image->width_px() * reduced.image->height_px(), 2000);
}

TEST(Orientation, TurningFourTimesIsTheIdentity) {
  PageImage image(1, 7, 5, 72);
  for (int i = 0; i < 35; ++i) image.row(i / 7)[(i % 7) * 3] = uint8_t(i);
  const PageImage there = turn(turn(image, 1), 3), half = turn(turn(image, 2), 2);
  EXPECT_EQ(turn(image, 1).row(0)[0], image.row(4)[0]) << "the bottom left comes to the top left";
  for (int i = 0; i < 35; ++i) {
    EXPECT_EQ(there.row(i / 7)[(i % 7) * 3], i);
    EXPECT_EQ(half.row(i / 7)[(i % 7) * 3], i);
  }
}

TEST(Orientation, FindsAndUndoesTheLeanOfAScan) {
  const auto reader = open_document(input(make_pdf({report()})), "");
  const PageImage level = reader->raster(1, 150, 50'000'000).image;
  EXPECT_EQ(degrees_to_straight(level), 0);
  for (const double skew : {-3.0, -0.7, 0.7, 2.0})
    EXPECT_NEAR(degrees_to_straight(rotate(level, skew)), -skew, 0.15) << skew;
}

}  // namespace
}  // namespace docspec
