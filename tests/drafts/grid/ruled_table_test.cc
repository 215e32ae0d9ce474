// Tables whose ruling lines show their cells: from drawn lines to HTML with spans.
#include "drafts/grid/ruled_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "core/document/page_blocks.h"
#include "drafts/grid/cell_text.h"
#include "drafts/page_drafter.h"
#include "drafts/regions/line_layout.h"
#include "drafts/table/rows/open_rows.h"
#include "tests/support/pdf_writer.h"

namespace docspec {
namespace {

/// Lines of a full grid at the given positions.
RulingLines grid_lines(const std::vector<int>& xs, const std::vector<int>& ys) {
  RulingLines lines;
  for (int y : ys) lines.across.push_back({xs.front(), y, xs.back(), y + 2});
  for (int x : xs) lines.down.push_back({x, ys.front(), x + 2, ys.back()});
  return lines;
}

TEST(RuledTable, CellsTileTheTableWhateverIsMissing) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 rng(seed);
    std::vector<int> xs{100}, ys{200};
    for (size_t i = 0; i < 2 + rng() % 5; ++i) xs.push_back(xs.back() + 40 + int(rng() % 100));
    for (size_t i = 0; i < 2 + rng() % 6; ++i) ys.push_back(ys.back() + 30 + int(rng() % 60));
    RulingLines lines = grid_lines(xs, ys);
    // Cut a piece out of a line between two rows or columns.
    const size_t c = 1 + rng() % (xs.size() - 2), r = rng() % (ys.size() - 1);
    const Box whole = lines.down[c];
    lines.down[c].y1 = ys[r];
    lines.down.push_back({whole.x0, ys[r + 1], whole.x1, whole.y1});
    std::erase_if(lines.down, [](const Box& line) { return line.height() < 5; });
    const auto tables = find_ruled_tables(lines, 20);
    if (xs.size() == 3 && ys.size() == 3) continue;  // three cells are too few to tell
    ASSERT_EQ(tables.size(), 1u) << "seed " << seed;
    int64_t area = 0;
    int spans = 0;
    for (const GridCell& cell : tables[0].cells) {
      area += int64_t{cell.row_span} * cell.column_span;
      spans += cell.column_span > 1 || cell.row_span > 1;
    }
    EXPECT_EQ(area, int64_t{tables[0].rows} * tables[0].columns) << "seed " << seed;
    EXPECT_EQ(spans, 1) << "seed " << seed;
  }
}

TEST(RuledTable, ALineThatPartsNoCellsMakesNoRow) {
  RulingLines lines = grid_lines({100, 200, 300}, {100, 150, 200, 250});
  lines.across.push_back({100, 120, 130, 122});  // a stroke from the edge
  std::sort(lines.across.begin(), lines.across.end(),
            [](const Box& a, const Box& b) { return a.y0 < b.y0; });
  const auto tables = find_ruled_tables(lines, 20);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].rows, 3);
  ASSERT_EQ(tables[0].cells.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(tables[0].cells[i].row, int(i / 2));
    EXPECT_EQ(tables[0].cells[i].row_span, 1);
  }
}

TEST(RuledTable, ARuleThatOcrReadIsNoLetter) {
  const std::vector<GridCell> cells = {{0, 0, 1, 1, {0, 0, 90, 20}},
                                       {0, 1, 1, 1, {90, 0, 200, 20}}};
  std::vector<Word> words = {{"Model|", {10, 2, 88, 18}}, {"|a|b|", {92, 2, 120, 18}}};
  const std::vector<int> own = {0, 1};
  EXPECT_EQ(table_html(cells, words, own, LineJoiner(words)),
            "<table><tr><td>Model</td><td>a|b</td></tr></table>");
  for (Word& word : words) word.font = "Times";
  EXPECT_EQ(table_html(cells, words, own, LineJoiner(words)),
            "<table><tr><td>Model|</td><td>|a|b|</td></tr></table>");
}

TEST(RuledTable, ACellSetSidewaysIsReadAsItIsTurned) {
  const std::vector<GridCell> cells = {{0, 0, 1, 1, {0, 0, 60, 200}}};
  // Two lines that run upwards, the first one at the left; the note's mark stands at the very top.
  std::vector<Word> words = {{"Spring", {5, 120, 17, 180}, 3},
                             {"tide", {5, 70, 17, 110}, 3},
                             {"depth", {22, 130, 34, 180}, 3},
                             {"8", {20, 20, 27, 26}, 3}};
  for (Word& word : words) word.quarter_turns = 3, word.font = "Times", word.font_size_pt = 10;
  const std::vector<int> own = {3, 2, 0, 1};
  EXPECT_EQ(table_html(cells, words, own, LineJoiner(words)),
            "<table><tr><td>Spring tide depth 8</td></tr></table>");
}

TEST(RuledTable, TwoLinesThatATallSignJoinsKeepTheirBlankAndLeadersGo) {
  const std::vector<GridCell> cells = {{0, 0, 1, 1, {0, 0, 90, 40}},
                                       {0, 1, 1, 1, {90, 0, 200, 40}}};
  std::vector<Word> words = {{"Father's", {4, 4, 44, 14}},
                             {"Name", {4, 16, 41, 26}},
                             {":", {80, 8, 84, 22}},
                             {"Injury.......", {92, 10, 150, 22}}};
  for (Word& word : words) word.font = "Times", word.font_size_pt = 10;
  const std::vector<int> own = {0, 1, 2, 3};
  EXPECT_EQ(table_html(cells, words, own, LineJoiner(words)),
            "<table><tr><td>Father's Name :</td><td>Injury</td></tr></table>");
}

TEST(RuledTable, AFrameOrTwoRulesAreNoTable) {
  EXPECT_TRUE(find_ruled_tables(grid_lines({100, 500}, {100, 300}), 20).empty());
  RulingLines rules;
  rules.across = {{100, 100, 500, 102}, {100, 300, 500, 302}};
  EXPECT_TRUE(find_ruled_tables(rules, 20).empty());
}

using test::frame;

std::vector<Block> blocks_of(const test::PdfPage& page, bool as_scan) {
  const auto reader = open_document(test::input(test::make_pdf({page})), "");
  PageDraftOptions options;
  if (as_scan) options.sources = {"tesseract"};
  return page_blocks(PageDrafter(options).draft(*reader, 1).drafts).blocks;
}

TEST(RuledTable, TinyLettersAreNoLines) {
  test::PdfPage page;
  page.drawing = "0.4 w\n";
  const double widths[] = {60, 110, 60};
  const char* texts[] = {"781001", "20, Paraskunj Society, Part I", "09859920400"};
  for (int row = 0; row < 30; ++row)
    for (int c = 0; c < 3; ++c) {
      const double x = 80 + (c > 0 ? widths[0] : 0) + (c > 1 ? widths[1] : 0), y = 700 - 16 * row;
      page.drawing += frame(x, y, widths[c], 16);
      page.lines.push_back({x + 2, y + 11, texts[c], 3.6});
      if (row % 2 && c == 1) page.lines.push_back({x + 2, y + 6.5, texts[c], 3.6});
    }
  const std::vector<Block> blocks = blocks_of(page, false);
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_TRUE(blocks[0].html.has_value());
  const std::string& html = *blocks[0].html;
  size_t rows = 0;
  for (size_t at = 0; (at = html.find("<tr>", at)) != html.npos; ++at) ++rows;
  EXPECT_EQ(rows, 30u) << html;
  EXPECT_EQ(html.find("<td></td>"), html.npos) << html;
}

TEST(RuledTable, RowsOfTwoLinesOutsideTheShadeAreOfTheTable) {
  test::PdfPage page;
  for (int row = 0; row < 9; ++row) {
    const double y = 600 - 24 * row;  // foot of the row, in which cells stand at the bottom
    if (row % 2) page.drawing += "0 1 1 rg 100 " + std::to_string(y - 3) + " 400 24 re f\n";
    const std::string number = std::to_string(row);
    page.lines.push_back({104, y, "64138" + number, 9});
    page.lines.push_back({180, y, "SALOON " + number, 9});
    page.lines.push_back({280, y + 11, "224 WEST HARRISON", 9});
    page.lines.push_back({280, y, "AVENUE " + number, 9});
    page.lines.push_back({400, y, "GUTHRIE", 9});
    page.lines.push_back({470, y, "OK", 9});
  }
  const std::vector<Block> blocks = blocks_of(page, false);
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_TRUE(blocks[0].html.has_value());
  for (const int row : {0, 8})
    EXPECT_NE(blocks[0].html->find("<td>64138" + std::to_string(row) + "</td><td>SALOON " +
                                   std::to_string(row) + "</td><td>224 WEST HARRISON AVENUE " +
                                   std::to_string(row) + "</td>"),
              std::string::npos)
        << *blocks[0].html;
}

/// A head over two columns, a cell over two rows.
test::PdfPage spanned_table() {
  test::PdfPage page;
  page.drawing = "0.7 w\n" + frame(100, 600, 120, 60) + frame(220, 640, 240, 20) +
                 frame(220, 620, 120, 20) + frame(340, 620, 120, 20) + frame(220, 600, 120, 20) +
                 frame(340, 600, 120, 20);
  const std::tuple<double, double, const char*> cells[] = {
      {130, 626, "Station"}, {320, 646, "Depth"}, {250, 626, "Spring"},
      {370, 626, "Autumn"},  {250, 606, "6.4"},   {370, 606, "7.1"}};
  for (const auto& [x, y, text] : cells) page.lines.push_back({x, y, text, 10, "F1"});
  page.lines.push_back({72, 500, "A paragraph of plain words stands well below the table.", 11});
  return page;
}

TEST(RuledTable, SpansReachTheHtmlOfBornDigitalPages) {
  const auto blocks = blocks_of(spanned_table(), false);
  ASSERT_FALSE(blocks.empty());
  EXPECT_EQ(blocks[0].html,
            "<table><tr><td rowspan=\"3\">Station</td><td colspan=\"2\">Depth</td></tr>"
            "<tr><td>Spring</td><td>Autumn</td></tr><tr><td>6.4</td><td>7.1</td></tr></table>");
}

TEST(RuledTable, TheSameTableIsReadFromARaster) {
  const auto blocks = blocks_of(spanned_table(), true);
  ASSERT_FALSE(blocks.empty());
  ASSERT_TRUE(blocks[0].html.has_value());
  EXPECT_NE(blocks[0].html->find("rowspan=\"3\">Station"), std::string::npos) << *blocks[0].html;
  EXPECT_NE(blocks[0].html->find("colspan=\"2\">Depth"), std::string::npos) << *blocks[0].html;
}

TEST(RuledTable, ColumnsWithoutRowRulesBecomeRows) {
  RuledTable table;
  table.box = {0, 0, 300, 200};
  table.rows = 1;
  table.columns = 2;
  table.cells = {{0, 0, 1, 1, {0, 0, 150, 200}}, {0, 1, 1, 1, {150, 0, 300, 200}}};
  std::vector<Word> words;
  for (int row = 0; row < 5; ++row)
    for (int x : {10, 160})
      words.push_back({"w" + std::to_string(row), {x, 10 + 36 * row, x + 60, 30 + 36 * row}});
  split_open_rows(table, words);
  EXPECT_EQ(table.rows, 5);
  EXPECT_EQ(table.cells.size(), 10u);
}

/// Whether a scan has a table where a grid of lines lies over words, `gap` pixels apart, that OCR
/// read.
bool reads_table(int gap) {
  constexpr int kWidth = 800, kHeight = 400, kWord = 60;
  PageImage image(1, kWidth, kHeight, 144);
  for (int y = 0; y < kHeight; ++y) std::memset(image.row(y), 255, size_t(kWidth) * 3);
  const auto draw = [&](const Box& box) {
    for (int y = box.y0; y < box.y1; ++y)
      std::memset(image.row(y) + size_t(box.x0) * 3, 0, size_t(box.width()) * 3);
  };
  std::vector<Word> words;
  for (int row = 0; row < 4; ++row)
    for (int w = 0; w < 6; ++w) {
      const int x = 100 + w * (kWord + gap), y = 100 + 50 * row;
      words.push_back({"word", {x, y, x + kWord, y + 20}, 0.9, 10});
    }
  const int pitch = 2 * (kWord + gap), left = 100 - gap / 2;
  for (int row = 0; row < 5; ++row) draw({left, 86 + 50 * row, left + 3 * pitch, 88 + 50 * row});
  for (int c = 0; c < 4; ++c) draw({left + c * pitch, 86, left + c * pitch + 2, 288});
  PageInput page{1, kWidth, kHeight, 144, &image, {}, words, {}};
  const auto regions = make_line_layout()->detect(page);
  return std::any_of(regions.begin(), regions.end(), [](const Region& region) {
    return region.kind == RegionKind::table && !region.cells.empty();
  });
}

TEST(RuledTable, OnAScanLinesThroughSentencesAreNoTable) {
  EXPECT_TRUE(reads_table(30));
  EXPECT_FALSE(reads_table(6));
}

}  // namespace
}  // namespace docspec
