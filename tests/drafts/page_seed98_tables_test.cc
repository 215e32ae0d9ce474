// What was misread on papers and bills (seeds 97 and 98): captions between tables, rows of lined
// columns, tables side by side.
#include <gtest/gtest.h>

#include <algorithm>

#include "drafts/table/rows/open_rows.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::line_ending;
using test::markdown_of;
using test::PdfPage;
using test::rectangle;
using test::rule;

/// Three columns with lines between them and rules over and under the heads and below all.
void add_lined_table(PdfPage& page, double y, int rows) {
  for (int row = 0; row <= rows; ++row)
    for (int column = 0; column < 3; ++column)
      page.lines.push_back({104.0 + 100 * column, y - 12.0 * (row + 1) + 3,
                            row ? "value " + std::to_string(row) : "Head", 10});
  const double foot = y - 12.0 * (rows + 1);
  for (const double level : {y, y - 12, foot}) page.drawing += rule(100, 400, level);
  for (const double x : {200.0, 300.0}) page.drawing += rectangle("f", x, foot, 0.6, y - foot);
}

TEST(PageSeed98, ACaptionBetweenTwoLinedTablesIsText) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  add_lined_table(page, 620, 6);
  page.lines.push_back({110, 516, "Table 3. Comparison of the methods.", 10});
  add_lined_table(page, 500, 6);
  add_prose(page, 72, 390, 8);
  const std::string text = markdown_of(page);
  expect_has(text, "\nTable 3. Comparison of the methods.\n");
  EXPECT_EQ(std::count(text.begin(), text.end(), '|'), 2 * 8 * 4) << text;
}

/// Lines of three columns that cross the rule below the heads, down to `foot`.
void add_open_columns(PdfPage& page, double y, double foot) {
  page.drawing += rule(100, 460, y - 16);
  for (const double x : {160.0, 371.0}) page.drawing += rectangle("f", x, foot, 0.6, y - foot);
  for (const double x : {106.0, 166.0, 377.0}) page.lines.push_back({x, y - 12, "Head", 10});
}

/// Code in a filled box.
void add_code(PdfPage& page, double x, double y, const std::string& name) {
  page.drawing +=
      "0.9 0.9 1 rg\n" + rectangle("f", x - 2, y - 4, 6.0 * double(name.size()) + 4, 14) + "0 g\n";
  page.lines.push_back({x, y, name, 10, "F3"});
}

TEST(PageSeed98, BoxesAroundCodeInCellsPartNoRows) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  const char* const names[] = {"byte", "short", "int", "long", "float", "double", "boolean"};
  const char* const classes[] = {"Byte", "Short", "Integer", "Long", "Float", "Double", "Boolean"};
  for (int row = 0; row < 7; ++row) {
    const double y = 572 - 14.5 * row;
    add_code(page, 108, y, names[row]);
    page.lines.push_back({166, y, "the meaning of the type", 10});
    add_code(page, 379, y, classes[row]);
  }
  add_open_columns(page, 600, 480);
  add_prose(page, 72, 380, 8);
  const std::string text = markdown_of(page);
  expect_has(text, "\n| byte | the meaning of the type | Byte |\n");
  expect_has(text, "\n| long | the meaning of the type | Long |\n");
  expect_has(text, "\n| float | the meaning of the type | Float |\n");
}

TEST(PageSeed98, LinesOfColumnsMayCrossTheRuleBelowTheHeads) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  const char* const names[] = {"url", "file", "schema"};
  for (int row = 0; row < 3; ++row) {
    page.lines.push_back({106, 572.0 - 14 * row, names[row], 10});
    page.lines.push_back({166, 572.0 - 14 * row, "a meaning", 10});
    page.lines.push_back({377, 572.0 - 14 * row, "the use", 10});
  }
  page.lines.push_back({377, 533, "of it", 10});
  add_open_columns(page, 600, 525);
  add_prose(page, 72, 380, 8);
  expect_has(markdown_of(page),
             "| Head | Head | Head |\n| --- | --- | --- |\n| url | a meaning | the use |\n"
             "| file | a meaning | the use |\n| schema | a meaning | the use of it |\n");
}

TEST(PageSeed98, TablesOfOneRuleAreApartFromTheTextBetweenThem) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  for (int table = 0; table < 3; ++table) {
    const double y = 610 - 110.0 * table;
    page.drawing += rule(100, 400, y - 44);
    for (const double x : {160.0, 280.0}) page.drawing += rectangle("f", x, y - 88, 0.6, 88);
    for (int half = 0; half < 2; ++half) {
      page.lines.push_back({104, y - 26 - 44 * half, half ? "Joe" : "Bob", 10});
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 2; ++column)
          page.lines.push_back({164.0 + 120 * column, y - 12 - 44 * half - 13 * row,
                                std::to_string(7 - row) + ": $" + std::to_string(column), 10});
    }
    page.lines.push_back(
        {100, y - 102, std::to_string(table + 1) + ". The account is locked.", 10});
  }
  add_prose(page, 72, 250, 8);
  const std::string text = markdown_of(page);
  expect_has(text, "\n2. The account is locked.\n");
  expect_has(text,
             "<tr><td rowspan=\"3\">Bob</td><td>7: $0</td><td>7: $1</td></tr>"
             "<tr><td>6: $0</td><td>6: $1</td></tr>");
}

TEST(PageSeed98, TablesSideBySideArePartedAtTheWhiteBetweenTheirRules) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  const char* const names[] = {"Chris Paul", "Dirk Nowitzki", "Deron Williams", "Jamal Crawford"};
  for (const double x : {100.0, 248.0}) {
    for (const double y : {602.0, 588.0, 527.0}) page.drawing += rule(x, x + 136, y);
    page.lines.push_back({x + 4, 592, "Player", 10});
    page.lines.push_back(line_ending(x + 132, 592, "EPVA", "F1", 10));
    for (int row = 0; row < 4; ++row) {
      const double y = 575 - 14.0 * row;
      page.lines.push_back({x + 4, y, names[x < 200 ? row : 3 - row], 10});
      const std::string value = (x < 200 ? "3." : "-1.") + std::to_string(50 - row);
      page.lines.push_back(line_ending(x + 132, y, value, "F1", 10));
    }
  }
  add_prose(page, 72, 500, 8);
  const std::string text = markdown_of(page);
  expect_has(text, "| Player | EPVA |\n| --- | --- |\n| Chris Paul | 3.50 |\n");
  expect_has(text, "| Player | EPVA |\n| --- | --- |\n| Jamal Crawford | -1.50 |\n");
}

TEST(PageSeed98, AListBesideAListIsNoTable) {
  PdfPage page;
  page.lines.push_back({72, 640, "Key Observations", 18, "F2"});
  const char* const items[] = {"1.", "Stocks of few firms", "", "are most of it",
                               "2.", "Bonds are too short"};
  for (int row = 0; row < 3; ++row) {
    const double y = 600 - 16.0 * row;
    page.lines.push_back({72, y, items[2 * row], 10});
    page.lines.push_back({100, y, items[2 * row + 1], 10});
    page.lines.push_back({330, y, "\x95", 10});
    page.lines.push_back({350, y, "Growth " + std::to_string(row), 10});
  }
  const std::string text = markdown_of(page);
  expect_has(text, "\n1. Stocks of few firms are most of it\n");
  expect_has(text, "\n- Growth 1\n");
}

TEST(PageSeed98, ATurnedLabelIsOfAllRowsBesideIt) {
  std::vector<Word> words;
  const auto add = [&](const Box& box, const std::string& text, int turns) {
    words.emplace_back();
    words.back().text = text;
    words.back().box = box;
    words.back().quarter_turns = turns;
  };
  add({5, 38, 25, 88}, "UNK", 1);
  add({5, 4, 25, 32}, "No", 1);
  for (int row = 0; row < 3; ++row) {
    add({40, 5 + 30 * row, 90, 25 + 30 * row}, "Moses", 0);
    add({110, 5 + 30 * row, 160, 25 + 30 * row}, "21.0" + std::to_string(row), 0);
  }
  RuledTable table{{0, 0, 200, 92}, 1, 3, {}};
  const int edges[] = {0, 30, 100, 200};
  for (int column = 0; column < 3; ++column)
    table.cells.push_back({0, column, 1, 1, {edges[column], 0, edges[column + 1], 92}});
  split_open_rows(table, words);
  EXPECT_EQ(table.rows, 3);
  EXPECT_EQ(table.cells.size(), 7u);
  EXPECT_EQ(table.cells[0].row_span, 3);
}

}  // namespace
}  // namespace docspec
