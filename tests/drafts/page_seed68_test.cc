// Pages that were misread in the draw of seed 68: requirements, court papers, forms, grammars.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::frame;
using test::kProse;
using test::markdown_of;
using test::PdfPage;

/// Rows that count from 1 on, each with a name and what it means.
TEST(PageSeed68, NumbersInCellsAreNoLineNumbers) {
  PdfPage page;
  page.drawing = "0.8 w ";
  for (int row = 0; row < 12; ++row) {
    const double y = 700 - 30.0 * row;
    for (const auto& [x, width] : {std::pair(60.0, 30.0), {90.0, 90.0}, {180.0, 360.0}})
      page.drawing += frame(x, y, width, 30);
    page.lines.push_back({64, y + 18, std::to_string(row + 1), 9});
    page.lines.push_back({94, y + 18, "Requirement " + std::string(1, char('A' + row)), 9});
    page.lines.push_back({184, y + 18, kProse, 9});
    page.lines.push_back({184, y + 6, "and more of it.", 9});
  }
  const std::string text = markdown_of(page);
  expect_has(text, "| 1 | Requirement A |");
  expect_has(text, "| 12 | Requirement L |");
}

TEST(PageSeed68, TypedLinesGoOnAfterAFullStop) {
  PdfPage page;
  for (int row = 0; row < 9; ++row)
    if (row != 4)
      page.lines.push_back({76, 700 - 27.0 * row,
                            "these courts of law have a limited jurisdiction that they keep", 12,
                            "F3"});
  page.lines.push_back({76, 592, "courts of limited jurisdiction.", 12, "F3"});
  page.lines.push_back({313, 592, "Island held that this is so", 12, "F3"});
  expect_has(markdown_of(page), "keep courts of limited jurisdiction. Island held that this is so");
}

TEST(PageSeed68, AStarAloneIsTheMarkOfANote) {
  PdfPage page;
  add_prose(page, 72, 720, 6);
  page.lines.push_back({72, 600, "* Data not available", 10});
  add_prose(page, 72, 560, 6);
  expect_has(markdown_of(page), "\\* Data not available");
  page.lines.push_back({72, 587, "* Estimates", 10});
  expect_has(markdown_of(page), "- Data not available");
}

TEST(PageSeed68, DashesOnBothSidesAreNoBullet) {
  PdfPage page;
  add_prose(page, 72, 720, 6);
  page.lines.push_back({200, 600, "\x97 Opinion Follows \x97", 10});
  expect_lacks(markdown_of(page), "- Opinion");
}

/// The text of the left column breaks off at `end`, a figure's caption is above the right one.
std::string two_columns(const std::string& end, const std::string& next) {
  PdfPage page;
  const std::string row = "words of a column of the text of it";
  for (int line = 0; line < 40; ++line) {
    const double y = (line < 30 ? 700 : 690) - 13.0 * line;
    page.lines.push_back({60, y, line == 39 ? row + " " + end : row, 10});
    if (line >= 8)
      page.lines.push_back({320, 700 - 13.0 * line, line == 8 ? next + " " + row : row, 10});
  }
  page.lines.push_back({360, 650, "Figure 1: What it shows", 10});
  page.drawing = test::rectangle("f", 360, 665, 120, 40);
  return markdown_of(page);
}

TEST(PageSeed68, AParagraphGoesOnPastAFigure) {
  expect_has(two_columns("and", "goes on"), "of it and goes on words");
  expect_has(two_columns("of", "Rome"), "of it of Rome words");
  expect_has(two_columns("is.", "Rome"), "of it is.\n");
}

}  // namespace
}  // namespace docspec
