// What was misread on papers and bills (seeds 97 and 98): captions between tables, rows of lined
// columns, tables side by side.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
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

}  // namespace
}  // namespace docspec
