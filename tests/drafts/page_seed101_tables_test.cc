// What was misread in the tables of annual reports (seed 101): heads of several lines over the
// columns of numbers.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::line_ending;
using test::markdown_of;
using test::PdfPage;
using test::rule;

/// A page of text with a note's table of two years below it; the years' row is at y 560.
PdfPage note_page(const std::string& label) {
  PdfPage page;
  add_prose(page, 72, 740, 10);
  const std::string rows[][3] = {{label, "2022", "2021"},
                                 {"Salaries and wages", "426,211", "415,787"},
                                 {"Shares of 0.001 par value", "235,442", "226,210"},
                                 {"Notes of 0.5 par value", "20,337", "72,667"},
                                 {"Total liabilities", "681,990", "714,664"}};
  double y = 560;
  for (const auto& row : rows) {
    if (!row[0].empty()) page.lines.push_back({72, y, row[0], 10});
    page.lines.push_back(line_ending(400, y, row[1], "F1", 10));
    page.lines.push_back(line_ending(480, y, row[2], "F1", 10));
    y -= 15;
  }
  add_prose(page, 72, 460, 10);
  return page;
}

TEST(PageSeed101Tables, LinesOverTheColumnsOfNumbersAreOfTheHead) {
  PdfPage page = note_page("");
  page.lines.push_back({405, 590, "US dollars", 10, "F2"});
  page.lines.push_back({398, 577, "31 December", 10, "F2"});
  const std::string text = markdown_of(page);
  expect_has(text, "<td colspan=\"2\">US dollars 31 December</td>");
  expect_lacks(text, "# US dollars");
}

TEST(PageSeed101Tables, ATitleOrAUnitOverAWholeTableIsNoHeadOfItsColumns) {
  PdfPage page = note_page("Liability");
  page.lines.push_back({398, 577, "31 December", 10, "F2"});
  const std::string text = markdown_of(page);
  expect_lacks(text, "colspan");
  expect_has(text, "31 December");
}

TEST(PageSeed101Tables, TheItemsAboveTheRulesOfASumAreNoHeads) {
  PdfPage page;
  add_prose(page, 72, 740, 10);
  const std::string rows[][3] = {
      {"", "Group", "Group"},           {"", "2022", "2021"},
      {"Currency gains", "7", "137"},   {"Bank interest", "25", "21"},
      {"Finance income", "32", "158"},  {"Loans and charges", "(4)", "(376)"},
      {"Finance costs", "(4)", "(376)"}};
  double y = 590;
  for (const auto& row : rows) {
    if (!row[0].empty()) page.lines.push_back({72, y, row[0], 10});
    page.lines.push_back(line_ending(400, y, row[1], "F1", 10));
    page.lines.push_back(line_ending(480, y, row[2], "F1", 10));
    if (row[0] == "Bank interest" || row[0] == "Loans and charges")
      page.drawing += rule(345, 401, y - 4) + rule(425, 481, y - 4);
    y -= row[0].empty() ? 12 : 14;
  }
  add_prose(page, 72, 460, 10);
  const std::string text = markdown_of(page);
  expect_has(text, "| Currency gains | 7 | 137 |");
  expect_has(text, "| Bank interest | 25 | 21 |");
}

}  // namespace
}  // namespace docspec
