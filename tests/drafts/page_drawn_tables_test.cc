// Tables and running text whose letters no text layer has: OCR reads them within a page that has
// one.
#include <algorithm>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::PdfPage;

constexpr int kWidth = 300, kHeight = 120;  // points of the table
const char* const kCells[4][3] = {{"Station", "Depth", "Silt"},
                                  {"North", "6.4", "0.2"},
                                  {"South", "7.9", "0.5"},
                                  {"Mole", "5.1", "1.4"}};

/// A page of nothing but a ruled table; without its letters, an empty form.
PdfPage table_page(bool letters) {
  PdfPage page;
  page.width = kWidth;
  page.height = kHeight;
  for (int row = 0; row <= 4; ++row)
    page.drawing +=
        "5 " + std::to_string(5 + 27 * row) + " m 290 " + std::to_string(5 + 27 * row) + " l S ";
  for (int column = 0; column <= 3; ++column)
    page.drawing +=
        std::to_string(5 + 95 * column) + " 5 m " + std::to_string(5 + 95 * column) + " 113 l S ";
  for (int row = 0; letters && row < 4; ++row)
    for (int column = 0; column < 3; ++column)
      page.lines.push_back({15.0 + 95 * column, 95.0 - 27 * row, kCells[row][column], 12});
  return page;
}

/// Prose or a title, and below it another page as a picture, on paper of a gray; `dark`: with its
/// light turned over.
PdfPage with_picture(const PdfPage& pictured, int paper = 255, double size = 1,
                     const char* title = nullptr, bool dark = false) {
  constexpr double kDpi = 200;
  const auto reader = open_document(test::input(test::make_pdf({pictured})), "");
  const PageImage image = reader->raster(1, kDpi, 10'000'000).image;
  PdfPage page;
  if (title)
    page.lines.push_back({72, 740, title, 12});
  else
    add_prose(page, 72, 740, 12);
  page.drawing = "q " + std::to_string(size * kWidth) + " 0 0 " + std::to_string(size * kHeight) +
                 " 100 400 cm BI /W " + std::to_string(image.width_px()) + " /H " +
                 std::to_string(image.height_px()) + " /BPC 8 /CS /G /F /AHx ID\n";
  constexpr const char* kHex = "0123456789abcdef";
  for (int y = 0; y < image.height_px(); ++y)
    for (int x = 0; x < image.width_px(); ++x) {
      const uint8_t level = image.row(y)[x * 3];
      const auto value = uint8_t((dark ? 255 - level : level) * paper / 255);
      page.drawing += kHex[value >> 4];
      page.drawing += kHex[value & 15];
    }
  page.drawing += ">\nEI Q\n";
  return page;
}

std::vector<Block> blocks_with_ocr(const PdfPage& page) {
  const auto reader = open_document(test::input(test::make_pdf({page})), "");
  PageDraftOptions options;
  options.sources = {"text-layer", "tesseract"};
  return page_blocks(PageDrafter(options).draft(*reader, 1).drafts).blocks;
}

TEST(PageDrawnTables, AreReadByOcrBesideTheTextLayer) {
  const auto blocks = blocks_with_ocr(with_picture(table_page(true)));
  const auto table = std::find_if(blocks.begin(), blocks.end(), [](const Block& block) {
    return block.kind == RegionKind::table;
  });
  ASSERT_NE(table, blocks.end());
  EXPECT_EQ(table->source, "tesseract");
  for (const auto& row : kCells)
    for (const char* cell : row) expect_has(table->html.value_or(table->text), cell);
  EXPECT_EQ(blocks.front().source, "text-layer");
  expect_has(blocks.front().text, test::kProse);
}

TEST(PageDrawnTables, AnEmptyGridIsAPicture) {
  for (const Block& block : blocks_with_ocr(with_picture(table_page(false))))
    EXPECT_NE(block.source, "tesseract") << block.text;
}

TEST(PageDrawnTables, StrokesOfAPhotographAreNone) {
  for (const Block& block : blocks_with_ocr(with_picture(table_page(true), 190)))
    EXPECT_NE(block.source, "tesseract") << block.text;
}

/// A page of nothing but these lines, the last of which ends a sentence.
PdfPage text_page(const std::vector<std::string>& lines) {
  PdfPage page;
  page.width = kWidth;
  page.height = kHeight;
  for (size_t i = 0; i < lines.size(); ++i)
    page.lines.push_back({5, kHeight - 20.0 - 16.0 * double(i), lines[i], 11});
  return page;
}

TEST(PageDrawnProse, OfAPictureIsReadByOcrBesideTheTextLayer) {
  const auto blocks = blocks_with_ocr(with_picture(text_page(
      {"The harbour was built when ships were small and",
       "made of wood. Its walls are of stone that came",
       "from the hills behind the town. Nobody knows",
       "who paid for them, but the oldest map of this", "coast shows them all as they stand today.",
       "They were mended once, after the great storm."})));
  const auto read = std::find_if(blocks.begin(), blocks.end(),
                                 [](const Block& block) { return block.source == "tesseract"; });
  ASSERT_NE(read, blocks.end());
  expect_has(read->text, "ships were small and made of wood. Its walls are of stone");
  EXPECT_EQ(blocks.front().source, "text-layer");
  for (const Block& block : blocks) EXPECT_EQ(block.kind, RegionKind::text) << block.text;
}

TEST(PageClippings, AreReadAsPagesOfTheirOwn) {
  const PdfPage clipping =
      text_page({"A STRANGER IN TOWN", "The harbour was built when ships were small and",
                 "made of wood. Its walls are of stone that came",
                 "from the hills behind the town. Nobody knows", "who paid for them, and why."});
  const auto blocks = blocks_with_ocr(with_picture(clipping, 190, 1.4, "The Daily Mole, page 4"));
  ASSERT_FALSE(blocks.empty());
  EXPECT_EQ(blocks.front().source, "text-layer");
  expect_has(blocks.front().text, "The Daily Mole, page 4");
  std::string read;
  for (const Block& block : blocks) {
    if (block.source != "tesseract") continue;
    read += block.text + "\n";
    // Where the picture is: 420 x 168 points, 400 above the foot of the page.
    EXPECT_GE(block.box_pt.x0, 100);
    EXPECT_GE(block.box_pt.y0, 224);
    EXPECT_LE(block.box_pt.x1, 520);
    EXPECT_LE(block.box_pt.y1, 392);
  }
  expect_has(read, "A STRANGER IN TOWN");
  expect_has(read, "ships were small and made of wood. Its walls are of stone");
  for (const Block& block : blocks) EXPECT_NE(block.kind, RegionKind::picture);
}

TEST(PageClippings, OfLightTextOnDarkPaperAreReadOnAnyPage) {
  const PdfPage screen = text_page({"The harbour was built here", "when ships were made of wood.",
                                    "Its walls are of stone", "that came from the hills",
                                    "far from the town, where", "most of the masons lived."});
  std::string layer, read;
  for (const Block& block : blocks_with_ocr(with_picture(screen, 255, 1.2, nullptr, true)))
    (block.source == "tesseract" ? read : layer) += block.text + "\n";
  expect_has(layer, test::kProse);
  expect_has(read, "The harbour was built");
  expect_has(read, "most of the masons lived.");
}

TEST(PageDrawnProse, LabelsOfADrawingAreNone) {
  PdfPage drawing = text_page({"north", "pier", "", "tower", "", "bay"});
  for (int i = 0; i < 6; ++i) drawing.drawing += test::frame(20 + 40 * i, 10 + 12 * i, 60, 30);
  for (const Block& block : blocks_with_ocr(with_picture(drawing)))
    EXPECT_NE(block.source, "tesseract") << block.text;
}

}  // namespace
}  // namespace docspec
