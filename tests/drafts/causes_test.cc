// One page for each way in which real pages were misread, drawn here with what it says.
#include <gtest/gtest.h>

#include "core/markup/base/table.h"
#include "drafts/text/region_text.h"
#include "drafts/text/text_trust.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::blocks_of;
using test::PdfPage;
using test::rectangle;
using test::rule;

/// The tables of a page, a row a line, "|" between cells; "*2" behind one that spans two columns,
/// "^2" behind one that spans two rows.
std::string tables_of(const PdfPage& page) {
  std::string out;
  for (const Block& block : blocks_of(page)) {
    if (!block.html) continue;
    const auto table = parse_html_table(*block.html);
    for (const auto& row : table->rows) {
      for (const auto& cell : row)
        out += cell.text + (cell.colspan > 1 ? "*" + std::to_string(cell.colspan) : "") +
               (cell.rowspan > 1 ? "^" + std::to_string(cell.rowspan) : "") + "|";
      out += "\n";
    }
    out += "\n";
  }
  return out;
}

/// Body text, so that the page has a size of its own.
void add_prose(PdfPage& page, double y) {
  for (int row = 0; row < 6; ++row)
    page.lines.push_back({72, y - 14.0 * row,
                          "a line of plain words that is as long as lines of a text usually are",
                          11});
}

void add_row(PdfPage& page, double y, const std::vector<double>& xs,
             const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i)
    if (!cells[i].empty()) page.lines.push_back({xs[i], y, cells[i], 10});
}

TEST(Causes, FilledCellsWithoutLinesAreCells) {
  PdfPage page;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 3; ++column)
      page.drawing += ((row + column) % 2 ? "0.8 0.8 0.6 rg " : "0.9 0.9 1 rg ") +
                      rectangle("f", 100 + 90 * column, 600 - 20 * row, 90, 20);
  page.drawing += "0 g\n";
  const std::vector<double> xs = {104, 194, 284};
  add_row(page, 606, xs, {"Name", "Length", "Beam"});
  add_row(page, 586, xs, {"Alma", "12.4", "3.1"});
  add_row(page, 566, xs, {"Berta", "9.0", ""});
  add_row(page, 546, xs, {"Clara", "7.75", "2.5"});
  add_prose(page, 480);
  EXPECT_EQ(tables_of(page), "Name|Length|Beam|\nAlma|12.4|3.1|\nBerta|9.0||\nClara|7.75|2.5|\n\n");
}

TEST(Causes, ShadedHeadsDoNotHideTheirRules) {
  PdfPage page;
  page.drawing = "0.7 g " + rectangle("f", 100, 600, 270, 20) + "0 g 0.5 w\n";
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 3; ++column)
      page.drawing += rectangle("S", 100 + 90 * column, 600 - 20 * row, 90, 20);
  const std::vector<double> xs = {104, 194, 284};
  add_row(page, 606, xs, {"Name", "Length", "Beam"});
  add_row(page, 586, xs, {"Alma", "12.4", "3.1"});
  add_row(page, 566, xs, {"Berta", "9.0", "2.2"});
  add_row(page, 546, xs, {"Clara", "7.75", "2.5"});
  EXPECT_EQ(tables_of(page),
            "Name|Length|Beam|\nAlma|12.4|3.1|\nBerta|9.0|2.2|\nClara|7.75|2.5|\n\n");
}

TEST(Causes, ColumnsThatOnlyTheHeadRulesGoOnBelowIt) {
  PdfPage page;
  page.drawing = "0.5 w\n";
  for (int column = 0; column < 3; ++column)
    page.drawing += rectangle("S", 100 + 90 * column, 600, 90, 20);
  for (int row = 1; row < 5; ++row) page.drawing += rectangle("S", 100, 600 - 20 * row, 270, 20);
  const std::vector<double> xs = {104, 194, 284};
  add_row(page, 606, xs, {"Name", "Length", "Beam"});
  for (int row = 1; row < 5; ++row)
    add_row(page, 606 - 20 * row, xs, {"Ship " + std::to_string(row), "12.4", "3.1"});
  EXPECT_EQ(tables_of(page),
            "Name|Length|Beam|\nShip 1|12.4|3.1|\nShip 2|12.4|3.1|\nShip 3|12.4|3.1|\n"
            "Ship 4|12.4|3.1|\n\n");
}

TEST(Causes, RowsOfNumbersNeedNoRulesBetweenThem) {
  PdfPage page;
  page.drawing = "0.5 w\n";
  for (int column = 0; column < 3; ++column) {
    page.drawing += rectangle("S", 100 + 90 * column, 600, 90, 20);
    page.drawing += rectangle("S", 100 + 90 * column, 555, 90, 45);
  }
  const std::vector<double> xs = {104, 194, 284};
  add_row(page, 606, xs, {"Name", "Length", "Beam"});
  add_row(page, 588, xs, {"Alma", "12.4", "3.1"});
  add_row(page, 574, xs, {"Berta", "9.0", "2.2"});
  add_row(page, 560, xs, {"Clara", "7.75", "2.5"});
  EXPECT_EQ(tables_of(page),
            "Name|Length|Beam|\nAlma|12.4|3.1|\nBerta|9.0|2.2|\nClara|7.75|2.5|\n\n");
}

/// Rules above and below the head and below the rows, as in most papers.
PdfPage open_table() {
  PdfPage page;
  page.drawing = rule(100, 480, 620) + rule(100, 480, 580) + rule(100, 480, 510);
  const std::vector<double> xs = {104, 210, 290, 370, 430};
  page.lines.push_back({240, 608, "Depth", 10});
  page.drawing += rule(205, 340, 604);
  page.lines.push_back({372, 596, "Mean", 10});
  add_row(page, 586, xs, {"Station", "Spring", "Autumn", "silt", "Remark"});
  add_row(page, 566, xs, {"North 1", "6.4", "7.1", "0.2", "clear"});
  add_row(page, 552, xs, {"North 2", "6.0", "6.8", "0.4", "clear"});
  add_row(page, 538, xs, {"South 1", "5.1", "5.9", "0.9", "weeds"});
  add_row(page, 524, xs, {"South 2", "4.8", "5.2", "1.3", "weeds"});
  add_prose(page, 470);
  return page;
}

TEST(Causes, TheLinesOfAHeadAreOneRowBelowWhatSpansThem) {
  EXPECT_EQ(tables_of(open_table()),
            "Station^2|Depth*2|Mean silt^2|Remark^2|\nSpring|Autumn|\nNorth 1|6.4|7.1|0.2|clear|\n"
            "North 2|6.0|6.8|0.4|clear|\nSouth 1|5.1|5.9|0.9|weeds|\n"
            "South 2|4.8|5.2|1.3|weeds|\n\n");
}

TEST(Causes, CaptionsAndNotesBetweenRulesAreNotOfTheTable) {
  PdfPage page = open_table();
  page.drawing += rule(100, 480, 660) + rule(100, 480, 488);
  page.lines.push_back(
      {104, 644, "Table 3. What was measured at each of the stations in both seasons", 10});
  page.lines.push_back(
      {104, 630, "of the year, with the mean of what lay on the ground below them", 10});
  page.lines.push_back({104, 496, "Note: means are of three soundings.", 9});
  const std::string tables = tables_of(page);
  EXPECT_TRUE(tables.starts_with("Station^2|Depth*2|")) << tables;
  EXPECT_TRUE(tables.ends_with("weeds|\n\n")) << tables;
}

TEST(Causes, NearColumnsOfNumbersAreColumns) {
  PdfPage page;
  page.drawing = rule(100, 330, 620) + rule(100, 330, 602) + rule(100, 330, 530);
  const std::vector<double> xs = {104, 180, 229, 278};
  add_row(page, 608, xs, {"Year", "First", "Other", "Third"});
  for (int row = 0; row < 4; ++row)
    add_row(page, 590 - 14 * row, xs,
            {std::to_string(2001 + row), "1,234,5" + std::to_string(10 + row), "8,765,432",
             "5,550,1" + std::to_string(20 + row)});
  add_prose(page, 480);
  EXPECT_TRUE(
      tables_of(page).starts_with("Year|First|Other|Third|\n2001|1,234,510|8,765,432|5,550,120|\n"))
      << tables_of(page);
}

TEST(Causes, SmallCapitalsAreOneWordAndAHeading) {
  PdfPage page;
  page.lines = {{250, 700, "I. I", 11}, {262.4, 700, "NTRODUCTION", 8.8}};
  add_prose(page, 660);
  const auto blocks = blocks_of(page);
  ASSERT_FALSE(blocks.empty());
  EXPECT_EQ(blocks[0].text, "I. INTRODUCTION");
  EXPECT_EQ(name(blocks[0].kind), "Section-header");
}

TEST(Causes, RaisedAndLoweredDigitsStayWhatTheyAre) {
  PdfPage page;
  page.lines = {{72, 700, "The area of 25 m", 11},
                {156, 704.2, "2", 7},
                {163, 700, "took up CO", 11},
                {219, 698.3, "2", 7},
                {226, 700, "all year.", 11}};
  add_prose(page, 660);
  const auto blocks = blocks_of(page);
  ASSERT_FALSE(blocks.empty());
  EXPECT_TRUE(blocks[0].text.starts_with("The area of 25 m² took up CO₂ all year."))
      << blocks[0].text;
}

TEST(Causes, ATitleOfTwoLinesIsOneAndTheNamesBelowItAreNoHeading) {
  PdfPage page;
  page.lines = {{120, 720, "On the Measured Depths of Old", 20},
                {150, 692, "Harbours and their Basins", 20},
                {220, 650, "Anna Bell and Carl Dorn", 14}};
  add_prose(page, 600);
  const auto blocks = blocks_of(page);
  ASSERT_GE(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].text, "On the Measured Depths of Old Harbours and their Basins");
  EXPECT_EQ(name(blocks[0].kind), "Title");
  EXPECT_EQ(blocks[1].text, "Anna Bell and Carl Dorn");
  EXPECT_EQ(name(blocks[1].kind), "Text");
}

TEST(Causes, NumbersOfLinesAreNotOfTheListing) {
  PdfPage page;
  const char* code[] = {"int main() {", "", "  return run(7);", "}"};
  for (int row = 0; row < 4; ++row) {
    page.lines.push_back({80, 700.0 - 12 * row, std::to_string(row + 1), 9});
    if (*code[row]) page.lines.push_back({100, 700.0 - 12 * row, code[row], 10, "F3"});
  }
  add_prose(page, 620);
  bool found = false;
  for (const Block& block : blocks_of(page)) {
    if (block.kind == RegionKind::page_header) continue;
    EXPECT_NE(block.text, "2");
    found |= block.kind == RegionKind::code && block.text == "int main() {\n\n  return run(7);\n}";
  }
  EXPECT_TRUE(found);
}

TEST(Causes, UnbreakableHyphensAtALinesEndAreHyphens) {
  const std::vector<Word> words = {{"depen\u2011", {0, 0, 100, 20}}, {"dency", {0, 24, 90, 44}}};
  const Region region{0, 0, RegionKind::text, {0, 0, 200, 60}, 1};
  EXPECT_EQ(region_drafts({region}, words, 200, "text-layer")[0].text, "dependency");
}

std::vector<Word> shifted(const std::string& text, int by) {
  std::vector<Word> words(1);
  for (char c : text) {
    if (c == ' ')
      words.emplace_back();
    else
      words.back().text += std::islower(uint8_t(c)) ? char('a' + (c - 'a' + by) % 26) : c;
    words.back().font = "Times";
  }
  return words;
}

TEST(Causes, ShiftedCodesAreNoLanguage) {
  const std::string text =
      "the harbour office asked for a survey of the northern basin before the quay is repaired and "
      "this report gives the depths that were measured in the spring at all of the stations along "
      "the northern mole where the silt lies deeper than it did when the last survey was made";
  EXPECT_TRUE(reads_as_language(shifted(text, 0)));
  for (int by = 1; by < 26; ++by) EXPECT_FALSE(reads_as_language(shifted(text, by))) << by;
}

TEST(Causes, LettersWithAccentsCountAsTheLettersBelowThem) {
  std::string text;
  for (int i = 0; i < 3; ++i)
    text +=
        "Mạng nơ-ron là một lớp của các mô hình được xây dựng với các tầng, trong đó mỗi tầng nhận "
        "đầu ra của tầng trước nó; những lớp thường được dùng gồm có mạng tích chập và mạng hồi "
        "quy, và người ta chọn kích thước của chúng bằng những thử nghiệm trên dữ liệu kiểm tra ";
  EXPECT_TRUE(reads_as_language(shifted(text, 0)));
}

TEST(Causes, ALayerThatOcrConfirmsIsTheBetterText) {
  std::vector<Word> layer, same, other;
  for (const char* word : {"survey", "harbour", "office", "northern", "basin", "before", "repaired",
                           "report", "depths", "stations", "silt"}) {
    layer.push_back({word, {}, 1});
    same.push_back({std::string(word) + ",", {}, 0.9});
    other.push_back({"x" + std::string(word), {}, 0.9});
  }
  EXPECT_EQ(confirmed_by(layer, same), 1);
  EXPECT_EQ(confirmed_by(layer, other), 0);
  same.resize(3);
  EXPECT_FALSE(confirmed_by(layer, same)) << "three words tell nothing";
}

}  // namespace
}  // namespace docspec
