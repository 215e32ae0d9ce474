// What was misread on papers, lecture notes and reports (seed 100): the order around rules,
// indices of variables,
// page numbers.
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
using test::rule;

TEST(PageSeed100, ColumnsEndAtARuleInTheMiddleOfThePage) {
  const std::string line = "a line of a column is that long, and no more ";
  PdfPage page;
  add_prose(page, 60, 740, 10, line + "one");
  add_prose(page, 320, 740, 10, line + "two");
  add_prose(page, 60, 580, 10, line + "three");
  add_prose(page, 320, 580, 10, line + "four");
  page.drawing = rule(226, 366, 602);
  const std::string text = markdown_of(page);
  EXPECT_LT(text.find("one"), text.find("two")) << text;
  EXPECT_LT(text.find("two"), text.find("three")) << text;
  page.drawing.clear();
  const std::string without = markdown_of(page);
  EXPECT_LT(without.find("three"), without.find("two")) << without;
}

TEST(PageSeed100, VariablesOfATextWithoutFontsOfFormulasHaveTheirIndex) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.lines.push_back({72, 600, "the completion time C", 10});
  page.lines.push_back({72 + test::text_width("the completion time C", "F1", 10), 597, "max", 6.5});
  expect_has(markdown_of(page), "time $C_{\\max}$");
}

TEST(PageSeed100, LinesOfADoubleSpacedPageAreItsParagraphs) {
  PdfPage page;
  for (int row = 0; row < 12; ++row)
    page.lines.push_back({row % 6 == 0 ? 90.0 : 72.0, 740 - 26.8 * row - (row >= 6 ? 14 : 0),
                          row % 6 == 5 ? "the end of it." : test::kProse, 10});
  const std::string text = markdown_of(page);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;  // two paragraphs
}

TEST(PageSeed100, TheNamesOfAReportsPartsAndThePageNumberAreItsHeader) {
  PdfPage page;
  add_prose(page, 72, 640, 20);
  page.lines.push_back({72, 772, "STRATEGIC REPORT", 9});
  page.lines.push_back({222, 772, "CORPORATE GOVERNANCE", 9});
  page.lines.push_back({392, 772, "STATEMENTS", 9});
  page.lines.push_back({520, 768, "11", 20});
  const std::string text = markdown_of(page);
  EXPECT_TRUE(text.starts_with("a line of plain words")) << text;
}

TEST(PageSeed100, NumbersInTheOuterCornersOfASpreadAreItsPages) {
  PdfPage page;
  page.width = 1224;
  for (const double x : {72.0, 700.0}) add_prose(page, x, 740, 54);
  page.lines.push_back({20, 40, "73", 10});
  page.lines.push_back({1190, 40, "74", 10});
  const std::string text = markdown_of(page);
  expect_lacks(text, "73");
  expect_lacks(text, "74");
}

}  // namespace
}  // namespace docspec
