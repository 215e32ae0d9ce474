// What was misread in the margins and headings of papers, journals and reports (seed 103): running
// headers of one page, a foot under two columns, headings at the head of a column.
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

TEST(PageSeed103Margins, ATitleInTheMiddleWithANumberAtTheEdgeIsARunningHead) {
  PdfPage page;
  const double right = 72 + test::text_width(test::kProse, "F4", 9);
  const double middle = (72 + right) / 2;
  page.lines.push_back(
      line_ending(middle + test::text_width("Warnings", "F6", 10) / 2, 700, "Warnings", "F6", 10));
  page.lines.push_back(line_ending(right, 700, "33", "F4", 10));
  for (int row = 0; row < 40; ++row)
    page.lines.push_back({72, 677 - 11.0 * row, test::kProse, 9, "F4"});
  const std::string markdown = markdown_of(page);
  expect_lacks(markdown, "Warnings");
  expect_lacks(markdown, "33");
}

TEST(PageSeed103Margins, ANumberRightAboveTheTextUnderAHeaderIsThePages) {
  PdfPage page;
  const double right = 90 + test::text_width(test::kProse, "F4", 10);
  page.lines.push_back({80, 772, "Notes of a course", 10, "F6"});
  page.lines.push_back(line_ending(right, 763, "2", "F4", 9));
  for (int row = 0; row < 45; ++row)
    page.lines.push_back({row % 5 ? 72.0 : 90.0, 750 - 13.0 * row, test::kProse, 10, "F4"});
  const std::string markdown = markdown_of(page);
  expect_lacks(markdown, "Notes of a course");
  expect_lacks(markdown, "2");
}

TEST(PageSeed103Margins, ANameWithABarAndANumberAtTheRightIsARunningHead) {
  PdfPage page;
  const double right = 72 + test::text_width(test::kProse, "F4", 9);
  page.lines.push_back(line_ending(right, 745, "Harbours | 3.5.", "F5", 13));
  for (int row = 0; row < 40; ++row)
    page.lines.push_back({72, 690 - 11.0 * row, test::kProse, 9, "F4"});
  expect_lacks(markdown_of(page), "Harbours");
}

/// Two columns of text, the first of which begins further down, with `lines`.
std::string columns_with(const std::vector<PdfLine>& lines) {
  PdfPage page;
  page.lines = lines;
  for (int row = 0; row < 46; ++row) {
    const std::string text = "plain words of a text that fills the column";
    if (row > 10) page.lines.push_back({72, 725 - 13.0 * row, text, 10, "F4"});
    page.lines.push_back({330, 725 - 13.0 * row, text, 10, "F4"});
  }
  return markdown_of(page);
}

TEST(PageSeed103Margins, ANumberedHeadingAtTheHeadOfAColumnIsNoRunningHead) {
  expect_has(columns_with({{330, 749, "1. Introduction", 10, "F5"}}), "# 1. Introduction");
}

TEST(PageSeed103Margins, AFootOfSeveralPiecesUnderTwoColumnsIsNoText) {
  const std::string markdown = columns_with({{72, 60, "365", 9, "F5"},
                                             {160, 60, "Copied by a reader", 8, "F4"},
                                             {330, 60, "Letters", 9, "F4"},
                                             {330, 50, "of", 9, "F4"},
                                             {330, 40, "Harbours", 9, "F4"},
                                             {450, 60, "July 1974", 9, "F4"},
                                             {450, 50, "Volume 17", 9, "F4"},
                                             {450, 40, "Number 7", 9, "F4"}});
  for (const char* part : {"365", "Copied", "Harbours", "Volume 17"}) expect_lacks(markdown, part);
}

TEST(PageSeed103Margins, LettersOfAFontOfSmallCapitalsAreAsLargeAsTheirCapital) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  double x = 72;
  const auto put = [&](const std::string& text, double size) {
    page.lines.push_back({x, 610, text, size, "F5"});
    x += test::text_width(text, "F5", size);
  };
  for (const char* word : {"Results", "of", "Operations"}) {
    const std::string text = word;
    const bool capital = text[0] < 'a';
    if (capital) put(text.substr(0, 1), 12);
    put(text.substr(capital), 8.4);
    x += 3;
  }
  add_prose(page, 72, 594, 8);
  expect_has(markdown_of(page), "# Results of Operations\n");
}

TEST(PageSeed103Margins, ALabelBelowABoldParagraphHeadsNothing) {
  PdfPage page;
  for (int row = 0; row < 6; ++row)
    page.lines.push_back({72, 740 - 13.0 * row, test::kProse, 10, "F5"});
  page.lines.push_back({90, 662, "Key Words and Phrases: harbours, tides", 10, "F5"});
  for (int row = 0; row < 30; ++row)
    page.lines.push_back({72, 600 - 13.0 * row, test::kProse, 10, "F4"});
  expect_lacks(markdown_of(page), "# Key");
}

}  // namespace
}  // namespace docspec
