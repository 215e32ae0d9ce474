// Pages that were misread in the draw of seed 60: heads over striped tables, labels beside the
// shade, rules at the head and foot of a page, years of references, bullets of Word's inner lists,
// large page numbers below small text, bills with empty rows, text layers of bad OCR.
#include <gtest/gtest.h>

#include "drafts/text/text_trust.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;
using test::rule;

std::string shade(double x, double y, double width, double height) {
  return "0.8 g " + test::rectangle("f", x, y, width, height) + "0 g\n";
}

/// A table whose second rows are shaded from `left` on, with heads wider than the numbers.
PdfPage striped(double left) {
  PdfPage page;
  const char* const names[] = {"Liguria", "Toscana", "Lazio",  "Umbria", "Puglia", "Veneto",
                               "Sicilia", "Molise",  "Marche", "Trento", "Aosta",  "Abruzzo"};
  for (int row = 0; row < 26; ++row) {
    const double y = 560 - 16.0 * row;
    if (row % 2 == 0) page.drawing += shade(left, y - 4, 540 - left, 16);
    page.lines.push_back({66, y, names[row % 12], 9});
    for (int column = 0; column < 4; ++column)
      page.lines.push_back(
          {206.0 + 90 * column, y, std::to_string(10 + row) + "." + std::to_string(column), 9});
  }
  const char* const heads[] = {"Weekly total", "Mean of the week", "Change by", "Share of all"};
  const char* const below[] = {"of doses", "before that", "the week", "requests"};
  page.lines.push_back({66, 584, "Region", 9, "F2"});
  for (int column = 0; column < 4; ++column) {
    page.lines.push_back({184.0 + 90 * column, 590, heads[column], 9, "F2"});
    page.lines.push_back({190.0 + 90 * column, 579, below[column], 9, "F2"});
  }
  return page;
}

TEST(PageSeed60, HeadsStandOverAStripedTable) {
  PdfPage page = striped(60);
  page.drawing += rule(60, 540, 606);
  const std::string text = markdown_of(page);
  expect_has(text,
             "| Region | Weekly total of doses | Mean of the week before that | Change by the "
             "week | Share of all requests |\n| --- ");
  expect_has(text, "| Abruzzo | 21.0 | 21.1 | 21.2 | 21.3 |");
}

TEST(PageSeed60, LabelsBesideTheShadeAreOfTheTable) {
  PdfPage page = striped(170);
  page.lines.push_back({60, 640, "Prescriptions of the week", 20});
  page.drawing += rule(40, 570, 760) + rule(40, 570, 30);  // of the page
  const std::string text = markdown_of(page);
  expect_has(text, "| Region | Weekly total of doses |");
  expect_has(text, "| Liguria | 10.0 | 10.1 | 10.2 | 10.3 |");
  expect_lacks(text, "<td>Prescriptions");
}

TEST(PageSeed60, ANoteBelowATableIsNoHeading) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back({72, 670, "*Indicates load limited by hydraulic capacity", 13, "F2"});
  add_prose(page, 72, 640, 4);
  expect_lacks(markdown_of(page), "# *Indicates");
}

TEST(PageSeed60, AYearIsNoNumberOfASection) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back({72, 670, "1988. Turbo Prolog Reference", 10, "F6"});
  add_prose(page, 72, 640, 4);
  expect_lacks(markdown_of(page), "# 1988");
}

TEST(PageSeed60, SmallLettersOfCourierAreBulletsOfInnerLists) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  for (int row = 0; row < 3; ++row) {
    page.lines.push_back({90, 670.0 - 14 * row, "o", 10, "F3"});
    page.lines.push_back({107, 670.0 - 14 * row, "Pixmap.alpha", 8, "F3"});
    page.lines.push_back({171, 670.0 - 14 * row, "is a flag of it", 10});
  }
  const std::string text = markdown_of(page);
  expect_has(text, "- `Pixmap.alpha` is a flag of it");
  expect_lacks(text, "```");
}

TEST(PageSeed60, ALargePageNumberBelowSmallTextIsAFooter) {
  PdfPage page;
  for (int row = 0; row < 30; ++row)
    page.lines.push_back(
        {72, 740.0 - 14 * row, "words of a page in small letters, as many as go", 7});
  page.lines.push_back({72, 40, "15 | energypolicy.example.edu", 14});
  expect_lacks(markdown_of(page), "energypolicy");
}

TEST(PageSeed60, ABillWhoseRowsAreNotAllInUseIsATable) {
  PdfPage page;
  const char* const heads[] = {"Code", "Name", "Count", "Unit", "Price", "Sum"};
  const char* const item[] = {"KM-82", "Clock", "1", "piece", "712", "712"};
  for (int row = 0; row <= 14; ++row) page.drawing += rule(60, 540, 700 - 30.0 * row);
  for (int column = 0; column <= 6; ++column) {
    const std::string x = std::to_string(60 + 80 * column);
    page.drawing += x + " 700 m " + x + " 280 l S\n";
  }
  for (int column = 0; column < 6; ++column) {
    page.lines.push_back({66.0 + 80 * column, 680, heads[column], 10});
    page.lines.push_back({66.0 + 80 * column, 650, item[column], 10});
  }
  expect_has(markdown_of(page), "| KM-82 | Clock | 1 | piece | 712 | 712 |");
}

TEST(PageSeed60, SignsWithinWordsAreOfBadOcr) {
  std::vector<Word> words;
  const auto add = [&](const std::string& text) { words.push_back({text, {0, 0, 10, 10}}); };
  const char* const usual[] = {"the",       "rate",   "of",      "O'Brien's",
                               "well-kept", "and/or", "(e.g.",   "https://a.example/b?c=d",
                               "f(x)",      "p<0.05", "[1]-[3]", "there",
                               "requests",  "are",    "$100.00", "A.B.C.",
                               "it"};
  for (int i = 0; i < 20; ++i)
    for (const char* word : usual) add(word);
  EXPECT_TRUE(reads_as_language(words));
  for (const char* word : {"AIJt!tv:y", "l..!e", "A-~rle", "u:x-.P.arcel", "oIP\"'lo", "t~ar",
                           "bi|tt", "ln;1lg", "Fi\"ln", "o!r", "S:;a", "wi^th"})
    add(word);
  EXPECT_FALSE(reads_as_language(words));
}

}  // namespace
}  // namespace docspec
