// What was misread on annual reports, slides and homework (seed 95): tables with shaded rows,
// frames of slides, lines at the foot, dates and money in tables.
#include <gtest/gtest.h>

#include "drafts/table/rule_zones.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfLine;
using test::PdfPage;
using test::rectangle;
using test::rule;

/// A table of the years' figures, every second row of which is shaded.
PdfPage report(double top, int rows, const std::string& behind = "0.8 0.93 1 rg ") {
  PdfPage page;
  add_prose(page, 72, 760, 3);
  page.lines.push_back({300, top + 20, "December 31, 2022", 9, "F5"});
  page.lines.push_back({430, top + 20, "December 31, 2021", 9, "F5"});
  for (int row = 0; row < rows; ++row) {
    const double y = top - 16.0 * row;
    if (row % 2 == 0) page.drawing += behind + rectangle("f", 68, y - 4, 470, 16);
    page.lines.push_back({72, y, "Cost of lease " + std::string(1, char('A' + row)), 10});
    if (row == 0) {
      page.lines.push_back({310, y, "$", 10});
      page.lines.push_back({440, y, "$", 10});
    }
    page.lines.push_back({372, y, "2,61" + std::to_string(row), 10});
    page.lines.push_back({502, y, "9,40" + std::to_string(row), 10});
  }
  page.drawing += "0 g ";
  return page;
}

TEST(PageSeed95, ATableEverySecondRowOfWhichIsShadedIsRead) {
  const std::string markdown = markdown_of(report(600, 6));
  expect_has(markdown, "|  | December 31, 2022 | December 31, 2021 |");
  expect_has(markdown, "| Cost of lease A | $ 2,610 | $ 9,400 |");
  expect_has(markdown, "| Cost of lease B | 2,611 | 9,401 |");
  expect_has(markdown, "| Cost of lease F | 2,615 | 9,405 |");
}

TEST(PageSeed95, ShadeBehindHeadingsAloneMakesNoTable) {
  PdfPage page;
  for (int part = 0; part < 4; ++part) {
    const double y = 700 - 40.0 * part;
    page.drawing += "0.8 0.93 1 rg " + rectangle("f", 68, y - 4, 470, 16);
    page.lines.push_back({72, y, "Part " + std::string(1, char('A' + part)), 10, "F2"});
    add_prose(page, 72, y - 20, 1);
  }
  page.drawing += "0 g ";
  expect_lacks(markdown_of(page), "|");
}

TEST(PageSeed95, ADayAndItsYearAreOneCell) {
  PdfPage page;
  const std::vector<std::vector<std::string>> rows = {
      {"Description", "From", "Until", "Amount"},
      {"Repairs", "Nov 26, 2016", "Nov 26, 2017", "$950.00"},
      {"Paint", "May 3, 2016", "Nov 26, 2017", "$250.00"},
      {"Ropes", "Nov 9, 2016", "Dec 12, 2017", "$150.00"}};
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < rows[r].size(); ++c)
      page.lines.push_back({72 + 120.0 * double(c), 700 - 16.0 * double(r), rows[r][c], 10});
  expect_has(markdown_of(page), "| Repairs | Nov 26, 2016 | Nov 26, 2017 | $950.00 |");
}

TEST(PageSeed95, ALineOfTextOverThePageNumberStays) {
  PdfPage page;
  add_prose(page, 72, 740, 48);
  page.lines.push_back(
      {72, 90,
       "Find the function of the operator at the left-hand side of that equation when:", 10});
  page.lines.push_back({300, 66, "1", 10});
  expect_has(markdown_of(page), "of that equation when:");
}

Word word_in(const Box& box, const std::string& text, int row) {
  Word word;
  word.text = text;
  word.box = {box.x0 + 10, box.y0 + 10 + 30 * row, box.x0 + 10 + 10 * int(text.size()),
              box.y0 + 30 + 30 * row};
  return word;
}

TEST(PageSeed95, AFrameAroundTheListOfASlideIsNoTable) {
  RuledTable table{{0, 0, 800, 600}, 2, 4, {}};
  table.cells = {{0, 0, 1, 4, {0, 0, 800, 200}},
                 {1, 0, 1, 1, {0, 200, 200, 600}},
                 {1, 1, 1, 1, {200, 200, 400, 600}},
                 {1, 2, 1, 1, {400, 200, 600, 600}},
                 {1, 3, 1, 1, {600, 200, 800, 600}}};
  for (GridCell& cell : table.cells) cell.column_span = cell.box.width() / 200, cell.row_span = 1;
  std::vector<Word> words = {word_in(table.cells[0].box, "•", 0),
                             word_in(table.cells[0].box, "•", 1),
                             word_in(table.cells[1].box, "stub", 0)};
  EXPECT_TRUE(is_frame(table, words, 20));
  words[0].text = words[1].text = "head";
  EXPECT_FALSE(is_frame(table, words, 20));
  for (int row = 0; row < 3; ++row) words.push_back(word_in(table.cells[0].box, "text", row));
  EXPECT_TRUE(is_frame(table, words, 20)) << "three rows, and most cells are empty";
}

}  // namespace
}  // namespace docspec
