// One page for each way in which pages were misread: what stands in margins, columns, charts.
#include <gtest/gtest.h>

#include "core/input/letters/tex_letters.h"
#include "drafts/text/upright_words.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::blocks_of;
using test::PdfPage;

void add_column(PdfPage& page, double x, double y, int rows, const char* text) {
  for (int row = 0; row < rows; ++row) page.lines.push_back({x, y - 13.0 * row, text, 10});
}

std::string line_at(double x0, double x1, double y) {
  return std::to_string(x0) + " " + std::to_string(y) + " " + std::to_string(x1 - x0) +
         " 0.6 re f\n";
}

RegionKind kind_of(const PdfPage& page, const std::string& text) {
  for (const Block& block : blocks_of(page))
    if (block.text.find(text) != block.text.npos) return block.kind;
  ADD_FAILURE() << "no block with '" << text << "'";
  return RegionKind::text;
}

TEST(PageCauses, AFooterOfTwoRowsIsNoText) {
  PdfPage page;
  add_column(page, 72, 700, 40, "a line of plain words that is as long as lines of a text usually");
  page.lines.push_back({200, 52, "Harbour Office, Annual Report", 8});
  page.lines.push_back({290, 40, "17", 8});
  EXPECT_EQ(kind_of(page, "Annual Report"), RegionKind::page_footer);
}

TEST(PageCauses, ACaptionAtTheFootOfAPageIsNoFooter) {
  PdfPage page;
  add_column(page, 72, 700, 40, "a line of plain words that is as long as lines of a text usually");
  page.lines.push_back({72, 60, "Figure 4. Depths along the northern mole", 8});
  EXPECT_EQ(kind_of(page, "Figure 4"), RegionKind::caption);
}

TEST(PageCauses, ColumnsOfTextBetweenRulesAreNoTable) {
  PdfPage page;
  page.drawing = line_at(60, 552, 640) + line_at(60, 552, 560);
  for (const double x : {60.0, 230.0, 400.0})
    add_column(page, x, 625, 5, "and goes on with small words");
  add_column(page, 60, 500, 20, "a line of plain words that is as long as lines of a text usually");
  for (const Block& block : blocks_of(page)) EXPECT_NE(block.kind, RegionKind::table) << block.text;
}

TEST(PageCauses, NumbersThatCountTheRowsOfATableAreOfIt) {
  PdfPage page;
  for (int row = 0; row < 12; ++row) {
    const double y = 700 - 16 * row;
    page.lines.push_back({80, y, std::to_string(row + 1), 10});
    page.lines.push_back({150, y, std::to_string(100 + row), 10});
    page.lines.push_back({220, y, std::to_string(200 + row), 10});
  }
  const auto blocks = blocks_of(page);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_NE(blocks[0].html->find("<td>12</td><td>111</td><td>211</td>"), std::string::npos);
}

TEST(PageCauses, LabelsOfAChartAreNoText) {
  PdfPage page;
  add_column(page, 72, 740, 10, "a line of plain words that is as long as lines of a text usually");
  page.drawing = "1 w 150 300 240 180 re S 150 300 m 220 340 l 300 420 l 390 470 l S\n";
  for (int tick = 0; tick < 5; ++tick) {
    page.lines.push_back({130, 297.0 + 40 * tick, std::to_string(10 + 10 * tick), 8});
    page.lines.push_back({150.0 + 55 * tick, 286, std::to_string(2 * tick), 8});
  }
  for (const Block& block : blocks_of(page))
    if (block.kind != RegionKind::picture) {
      EXPECT_EQ(block.text.find("30"), std::string::npos) << block.text;
    }
}

TEST(PageCauses, WordsOfATurnedPageStandUpright) {
  std::vector<Word> words = {{"down", {90, 10, 98, 40}}, {"the", {90, 45, 98, 60}}};
  for (Word& word : words) word.quarter_turns = 1;
  const int turns = quarter_turns_to_upright(words);
  EXPECT_EQ(turns, 3);
  turn_words(words, turns, 100, 200);
  EXPECT_EQ(words[0].box, (Box{10, 2, 40, 10}));
  EXPECT_EQ(words[1].box, (Box{45, 2, 60, 10}));
  EXPECT_EQ(words[0].quarter_turns, 0);
  words.push_back({"a label that is longer than all the others", {}, 1});
  words.back().quarter_turns = 3;
  EXPECT_EQ(quarter_turns_to_upright(words), 1);
}

TEST(PageCauses, TexFontsWithoutAMapAreRead) {
  EXPECT_EQ(tex_letter("CMEX10", 'X').letter, 0x2211u);
  EXPECT_EQ(tex_letter("CMEX10", 0x12).letter, uint32_t('('));
  EXPECT_EQ(tex_letter("CMEX10", 'p').letter, 0x221Au);
  EXPECT_EQ(tex_letter("MSBM10", 'Z').letter, 0x2124u);
  EXPECT_EQ(tex_letter("MSBM10", 'E').letter, 0x1D53Cu);
  EXPECT_EQ(tex_letter("CMSY10", 'L').letter, 0x2112u);
  EXPECT_EQ(tex_letter("CMR10", 'X').letter, 0u);
}

}  // namespace
}  // namespace docspec
