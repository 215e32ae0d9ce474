// Pages that were misread in the draws of seeds 47 and 48: forms, cards of columns, margins, notes.
#include <gtest/gtest.h>

#include <sstream>

#include "drafts/lines/bullets.h"
#include "drafts/text/text_trust.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::blocks_of;
using test::expect_has;
using test::expect_lacks;
using test::kProse;
using test::markdown_of;
using test::PdfPage;

TEST(PageForms, TwoLabelsOfARowStandWithTheirValues) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.lines.push_back({72, 640, "Case Number:", 9, "F2"});
  page.lines.push_back({150, 640, "151201-581", 10, "F3"});
  page.lines.push_back({300, 640, "Agency:", 9, "F2"});
  page.lines.push_back({350, 640, "Harbour Office", 10, "F3"});
  const std::string text = markdown_of(page);
  expect_has(text, "**Case Number**: 151201-581");
  expect_has(text, "**Agency**: `Harbour Office`");
  expect_lacks(text, "# ");
}

TEST(PageForms, WhatAFormIsFilledInWithHeadsNothing) {
  PdfPage page;
  for (int field = 0; field < 3; ++field) {
    const double y = 740 - 120.0 * field;
    for (int row = 0; row < 5; ++row)
      page.lines.push_back({72, y - 10.0 * row, kProse + kProse, 8});
    for (int row = 0; row < 2; ++row)
      page.lines.push_back({72, y - 62 - 13.0 * row,
                            "the clerk wrote these words into the field of the form", 10, "F3"});
  }
  page.lines.push_back({72, 360, kProse + kProse, 8});
  page.lines.push_back({72, 345, "None known", 10, "F3"});
  expect_lacks(markdown_of(page), "# ");
}

TEST(PageForms, CardsOfThreeColumnsAreReadColumnByColumn) {
  PdfPage page;
  for (int column = 0; column < 3; ++column) {
    const double x = 40 + 185.0 * column;
    const std::string name = "tide" + std::to_string(column);
    add_prose(page, x, 740, 8, "each column has lines of text as");
    for (int row = 0; row < 6; ++row) {
      page.lines.push_back(
          {x, 620 - 13.0 * row, "show " + name + " of day " + std::to_string(row), 10});
      page.lines.push_back({x + 115, 620 - 13.0 * row, "C-c " + std::to_string(row), 10, "F3"});
    }
    add_prose(page, x, 520, 8, "each column has lines of text as");
  }
  const std::string text = markdown_of(page);
  for (int column = 0; column < 3; ++column)
    expect_has(text, "| show tide" + std::to_string(column) + " of day 3 | C-c 3 |\n");
  EXPECT_LT(text.find("tide0 of day 5"), text.find("tide1 of day 0"));
  EXPECT_LT(text.find("tide1 of day 5"), text.find("tide2 of day 0"));
}

PdfPage ledger(const std::vector<std::string>& figures) {
  PdfPage page;
  page.lines.push_back({72, 760, "Key figures", 16, "F2"});
  page.lines.push_back({72, 730, "Class A", 9, "F2"});
  for (size_t row = 0; row < figures.size(); ++row) {
    const double y = 712 - 18.0 * double(row);
    page.lines.push_back({72, y, row % 2 ? "Value of a unit" : "Costs of the harbour office", 9});
    page.lines.push_back({520 - 5.0 * double(figures[row].size()), y, figures[row], 9, "F3"});
  }
  return page;
}

TEST(PageForms, FiguresFarFromTheirLabelsAreOneTable) {
  const std::string text =
      markdown_of(ledger({"5,111,372", "104.03", "49,136", "49,144,825", "471.55", "520,691"}));
  expect_has(text, "| Costs of the harbour office | 5,111,372 |\n| --- | --- |\n");
  expect_has(text, "| Value of a unit | 104.03 |\n| Costs of the harbour office | 49,136 |\n");
  expect_has(text, "| Value of a unit | 520,691 |\n");
}

TEST(PageForms, NumbersOfFormulasAreNoFigures) {
  expect_lacks(markdown_of(ledger({"(1)", "(2)", "(3)", "(4)", "(5)", "(6)"})), "| ");
}

TEST(PageForms, NumbersThatAreWordsOfTypedLinesStay) {
  PdfPage page;
  for (int row = 1; row <= 12; ++row)
    page.lines.push_back(
        {72, 700 - 12.0 * row, std::to_string(row) + " years of the tide", 10, "F3"});
  const std::string text = markdown_of(page);
  expect_has(text, "1 years");
  expect_has(text, "12 years");
}

TEST(PageForms, PageNumbersOfManyKindsAreNoText) {
  for (const std::string number : {"Page - IV", "- 6 -", "Page 3 of 7"}) {
    PdfPage page;
    add_prose(page, 72, 700, 46);
    page.lines.push_back({290, 62, number, 10});
    expect_lacks(markdown_of(page), number.substr(number.size() - 3));
  }
}

TEST(PageForms, ARunningHeadAtBothEdgesIsNoText) {
  PdfPage page;
  page.lines.push_back({72, 660, "1.2. Depths", 8});
  page.lines.push_back({330, 660, "Chapter 1", 8});
  add_prose(page, 72, 630, 40);
  const std::string text = markdown_of(page);
  expect_lacks(text, "1.2.");
  expect_lacks(text, "Chapter");
}

TEST(PageForms, AHeadingAsFarFromTheTextAsParagraphsAreIsNoHeader) {
  PdfPage page;
  page.lines.push_back({72, 750, "21. Limitation of Damages", 10});
  for (int part = 0; part < 4; ++part) add_prose(page, 72, 724 - 104.0 * part, 7);
  expect_has(markdown_of(page), "21. Limitation of Damages");
  page.lines[0] = {72, 770, "Minutes of the Harbour Board", 10};
  expect_lacks(markdown_of(page), "Minutes of the Harbour Board");
}

TEST(PageForms, ARunningHeadIsNoEntryOfAnIndexAndAnEntryMayHaveTwoNumbers) {
  PdfPage page;
  page.lines.push_back({72, 720, "Index of stations", 10});
  page.lines.push_back({492, 720, "206", 10});
  for (int row = 0; row < 20; ++row) {
    page.lines.push_back(
        {72, 670 - 13.0 * row, "station " + std::to_string(row) + " ..................", 10});
    page.lines.push_back(
        {row == 4 ? 475.0 : 492, 670 - 13.0 * row, row == 4 ? "140, 143" : "143", 10});
  }
  const std::string text = markdown_of(page);
  expect_lacks(text, "206");
  expect_has(text, "- station 4 ... 140, 143\n- station 5 ... 143\n");
}

TEST(PageForms, ABoldLineWithinASentenceIsOfItsParagraph) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.lines.push_back(
      {72, 640, "a line of plain words that is as long as lines of a text, some of which", 10});
  page.lines.push_back({72, 627,
                        "are in bold type, which has wide letters, and it goes on like all of it",
                        10, "F2"});
  page.lines.push_back({72, 614, "does to the end.", 10});
  EXPECT_EQ(blocks_of(page).size(), 2u) << markdown_of(page);
}

TEST(PageForms, AddressesGoOnInTheNextLineWithoutABlank) {
  PdfPage page;
  page.lines.push_back(
      {72, 700, "The depths of all years are kept at https://tides.example.org/north/", 10});
  page.lines.push_back(
      {72, 687, "quay/depths. Whoever wants them may take them, and the maps, too, at", 10});
  page.lines.push_back({72, 674, "any time, as the office says.", 10});
  expect_has(markdown_of(page), "https://tides.example.org/north/quay/depths");
}

TEST(PageForms, ANumberOfAReferenceOpensNoItemOfANote) {
  PdfPage page;
  add_prose(page, 72, 740, 20);
  page.lines.push_back({72, 104, "7", 5});
  page.lines.push_back(
      {76, 100, "Harbour Office: the handbook of the depths and tides of the north, p.", 8});
  page.lines.push_back({72, 90, "11. Retrieved in the spring.", 8});
  expect_has(markdown_of(page), "north, p. 11. Retrieved");
}

TEST(PageForms, AHeadingMayHaveMoreDigitsThanLetters) {
  PdfPage page;
  page.lines.push_back({72, 720, "22.58 Rev 3.0.1", 14, "F2"});
  add_prose(page, 72, 690, 10);
  expect_has(markdown_of(page), "# 22.58 Rev 3.0.1");
}

TEST(PageForms, LettersOfAFontOfWordsAreNoBullets) {
  std::vector<Word> words;
  for (int row = 0; row < 4; ++row) {
    words.push_back({"I", {100, 100 + 30 * row, 106, 116 + 30 * row}});
    words.back().font = "Bold";
    words.push_back({"39053", {200, 100 + 30 * row, 240, 116 + 30 * row}});
    words.back().font = "Roman";
  }
  std::vector<Word> symbols = words;
  words.push_back({"UI", {100, 300, 112, 316}});
  words.back().font = "Bold";
  restore_symbol_bullets(words);
  EXPECT_EQ(words[0].text, "I");
  restore_symbol_bullets(symbols);
  EXPECT_EQ(symbols[0].text, "•");
}

TEST(PageForms, DigitsWithinWordsAreNoLanguage) {
  std::vector<Word> words;
  for (int i = 0; i < 25; ++i)
    for (const char* text : {"the", "x86_64", "utf8mb4", "H2O", "harbour", "in", "2nd", "Table3"})
      words.push_back({text, {}});
  EXPECT_TRUE(reads_as_language(words));
  for (const char* text : {"u2ytkowania", "wydajno6ci", "podwy2szanie", "ci6nienia", "t2oczny"})
    words.push_back({text, {}});
  EXPECT_FALSE(reads_as_language(words));
}

TEST(PageForms, SpelledOutWordsAreNoLanguage) {
  const std::string text =
      "the harbour office asked for a survey of the northern basin before the quay is repaired and "
      "this report gives the depths that were measured in the spring at all of the stations along "
      "the northern mole where the silt lies deeper than it did when the last survey was made";
  std::istringstream parts(text);
  std::vector<Word> words;
  for (std::string part; parts >> part;) words.push_back({part, {}});
  EXPECT_TRUE(reads_as_language(words));
  for (int i = 0; i < 4; ++i)
    for (const char* letter : {"t", "h", "e", "i", "r"}) words.push_back({letter, {}});
  EXPECT_FALSE(reads_as_language(words));
}

}  // namespace
}  // namespace docspec
