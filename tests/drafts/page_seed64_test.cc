// Pages that were misread in the draws of seeds 64 and 65, papers, filings and reports: tables with
// a rule below each column's head, headings in small capitals, turned text on upright pages,
// numbered lines that look like items, sentences that look like headings, formulas in OCR's layers.
#include <gtest/gtest.h>

#include "drafts/text/text_trust.h"
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

/// Sales of two years, as companies report them: a rule below each year.
PdfPage filing(bool rules) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back(line_ending(392, 660, "2012", "F4", 10));
  page.lines.push_back(line_ending(482, 660, "2011", "F4", 10));
  if (rules) page.drawing = rule(340, 400, 656) + rule(430, 490, 656);
  const char* const rows[][3] = {{"Net sales", "1,734.2", "1,650.9"},
                                 {"Cost of goods sold", "901.5", "877.0"},
                                 {"Interest", "12.4", "13.1"},
                                 {"Income before taxes", "820.3", "760.8"}};
  double y = 642;
  for (const auto& row : rows) {
    page.lines.push_back({72, y, row[0], 10, "F4"});
    for (const auto& [x, value] : {std::pair{400.0, row[1]}, {490.0, row[2]}}) {
      if (y > 640) page.lines.push_back({x - 62, y, "$", 10, "F4"});
      page.lines.push_back(line_ending(x, y, value, "F4", 10));
    }
    y -= 14;
  }
  add_prose(page, 72, 560, 4);
  return page;
}

TEST(PageSeed64, ARuleBelowTheHeadOfEachColumnMakesATable) {
  const std::string text = markdown_of(filing(true));
  expect_has(text, "|  | 2012 | 2011 |");
  expect_has(text, "| Net sales | $ 1,734.2 | $ 1,650.9 |");
  expect_has(text, "| Cost of goods sold | 901.5 | 877.0 |");
  expect_has(text, "| Income before taxes | 820.3 | 760.8 |");
}

/// "4.2" or another number, then words whose first letters are larger than the others.
PdfPage small_capitals_page() {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  double x = 72;
  const auto put = [&](const std::string& text, double size) {
    page.lines.push_back({x, 610, text, size, "F4"});
    x += test::text_width(text, "F4", size);
  };
  put("4.2", 10);
  x += 10;
  put("M", 10);
  put("ODEL", 8);
  x += 3;
  put("S", 10);
  put("IZE", 8);
  add_prose(page, 72, 585, 8);
  return page;
}

TEST(PageSeed64, ANumberedLineInSmallCapitalsIsAHeading) {
  expect_has(markdown_of(small_capitals_page()), "# 4.2 MODEL SIZE\n");
}

TEST(PageSeed64, TextThatIsTurnedOnAnUprightPageIsReadAsItIsTurned) {
  PdfPage page;
  add_prose(page, 220, 740, 40);
  const char* const lines[] = {"Printed in the month of May by", "the society of the old town and",
                               "its many friends of the river."};
  for (int row = 0; row < 3; ++row)
    page.drawing += "BT /F4 10 Tf 0 1 -1 0 " + std::to_string(130 + 13 * row) + " 300 Tm (" +
                    lines[row] + ") Tj ET\n";
  expect_has(markdown_of(page),
             "Printed in the month of May by the society of the old town and its many friends of "
             "the river.");
}

TEST(PageSeed64, TextUpsideDownIsReadAsItIsTurned) {
  PdfPage page;
  add_prose(page, 72, 740, 20);
  const char* const lines[] = {"The answers are five pears, an", "apple of the garden and a plum"};
  for (int row = 0; row < 2; ++row)
    page.drawing += "BT /F4 10 Tf -1 0 0 -1 400 " + std::to_string(100 + 13 * row) + " Tm (" +
                    lines[row] + ") Tj ET\n";
  expect_has(markdown_of(page), "The answers are five pears, an apple of the garden and a plum");
}

TEST(PageSeed64, ASentenceThatRunsOnIsNoHeading) {
  PdfPage page;
  page.lines.push_back({72, 760, "Of Mills", 20});
  add_prose(page, 72, 740, 12);
  page.lines.push_back({72, 556, "The mill stands by the river since the old days and", 14});
  add_prose(page, 72, 542, 12);
  expect_lacks(markdown_of(page), "# The mill stands");
}

TEST(PageSeed64, NumbersOfSeveralLevelsAndInitialsOpenNoItems) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.lines.push_back({72, 640, "3.5.2. " + test::kProse, 10});
  page.lines.push_back(
      {72, 610, "G. W. Hill and the moon of the earth in the years of his life", 10});
  add_prose(page, 72, 580, 6);
  const std::string text = markdown_of(page);
  expect_lacks(text, "- 3.5.2.");
  expect_lacks(text, "- G. W. Hill");
  expect_has(text, "G. W. Hill and the moon");
}

TEST(PageSeed64, ANumberedLineInTheMiddleOfItsColumnIsAHeading) {
  PdfPage page;
  add_prose(page, 72, 740, 12);
  const std::string head = "2.1 On the Motion of Rivers";
  const double middle = 72 + test::text_width(test::kProse, "F1", 10) / 2;
  page.lines.push_back({middle - test::text_width(head, "F1", 10) / 2, 562, head, 10});
  add_prose(page, 72, 540, 12);
  expect_has(markdown_of(page), "# " + head + "\n");
}

TEST(PageSeed64, FourVersesKeepTheirLines) {
  PdfPage page;
  add_prose(page, 72, 740, 10);
  const char* const verses[] = {"The wind is in the tree", "The boat is on the sea",
                                "The bread is on the board", "All songs are for the lord"};
  for (int row = 0; row < 4; ++row) page.lines.push_back({72, 590.0 - 13 * row, verses[row], 10});
  add_prose(page, 72, 520, 10);
  expect_has(markdown_of(page), "The wind is in the tree  \nThe boat is on the sea  \n");
}

TEST(PageSeed64, LinesThatFillTheirColumnsAreProse) {
  PdfPage page;
  const char* const left[] = {"Arthur came over the hill to the", "Castle of the king and spoke of",
                              "Bread and salt, and of the fields",
                              "Under the hill where the sheep go"};
  const char* const right[] = {"Never had the king heard of such",
                               "Things as those that he told of", "And he gave him a horse to ride",
                               "Down to the sea before the night"};
  for (int row = 0; row < 16; ++row) {
    page.lines.push_back({72, 740.0 - 13 * row, left[row % 4], 10});
    page.lines.push_back({310, 740.0 - 13 * row, right[row % 4], 10});
  }
  const std::string text = markdown_of(page);
  expect_lacks(text, "|");
  EXPECT_LT(text.rfind("Arthur came"), text.find("Never had the king")) << text;
}

TEST(PageSeed64, WhatOcrMakesOfFormulasIsNoText) {
  for (const char* rubble : {"~E=Uhe4n:3~ 'f jYn ² +u[(nYn ²+u/ak m )du",
                             "00 00 t 1:hw = he nL:JJ[ ~ lik~ +k; + J; 11V n ² n~a"})
    EXPECT_TRUE(is_formula_rubble(rubble)) << rubble;
  for (const char* text :
       {"where w = u + n and all other values are zero", "CHAPTER IV", "1,204.50 1,305.10 (99.60)",
        "see https://example.org/a_b#c", "a = b", "if (count <= limit) return count + offset;"})
    EXPECT_FALSE(is_formula_rubble(text)) << text;
}

}  // namespace
}  // namespace docspec
