// Pages that were misread in the draw of seed 58: frames around pages and links, far numbers of
// contracts, headings below each other, items that name a year, marks of authors, signs of
// Dingbats.
#include <gtest/gtest.h>

#include "core/markup/formats/markdown_inline.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/font_style.h"
#include "drafts/text/text_trust.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::frame;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed58, AFrameAroundAPageIsNoTable) {
  PdfPage page;
  page.drawing = frame(60, 300, 492, 460) + frame(60, 300, 492, 120) + frame(60, 600, 492, 160) +
                 frame(300, 420, 252, 180);
  for (int row = 0; row < 6; ++row)
    page.lines.push_back(
        {70, 740.0 - 18 * row, "A line of words that stands alone in its frame", 10});
  const char* const rows[] = {"Parts", "Labour", "Paint", "Tax"};
  for (int row = 0; row < 4; ++row) {
    page.lines.push_back({70, 580.0 - 30 * row, rows[row], 10});
    page.lines.push_back({320, 580.0 - 30 * row, std::to_string(110 + row), 10});
  }
  for (int row = 0; row < 5; ++row)
    page.lines.push_back(
        {70, 400.0 - 18 * row, "Another line of words below the figures, in a frame", 10});
  const std::string text = markdown_of(page);
  expect_lacks(text, "<td colspan=\"2\">A line");
  expect_has(text, "| Parts | 110 |");
}

TEST(PageSeed58, FramesAroundLinksAreNoTable) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back({72, 660, "We follow Hosking and Lapata \\(2021\\) in all that", 10});
  page.lines.push_back({72, 646, "they say of it, and Xu \\(2016\\) before them, too.", 10});
  // As LaTeX draws them around citations, below each other.
  page.drawing = frame(120, 657, 82, 13) + frame(202, 657, 38, 13) + frame(120, 643, 82, 14) +
                 frame(202, 643, 38, 14);
  const std::string text = markdown_of(page);
  expect_lacks(text, "| --- |");
  expect_has(text, "Hosking and Lapata (2021) in all that they say");
}

TEST(PageSeed58, NumbersOfAContractStandWithTheirText) {
  PdfPage page;
  page.lines = {{72, 740, ".1", 11},
                {150, 740, "The intent of this request is to ask for offers in the form that", 11},
                {150, 724, "is told in this document, for the project below.", 11},
                {72, 690, ".2", 11},
                {150, 690, "More is told in the section that describes the project and in", 11},
                {150, 674, "those behind it.", 11}};
  const std::string text = markdown_of(page);
  expect_has(text, ".1 The intent of this request");
  expect_has(text, ".2 More is told");
}

TEST(PageSeed58, ALastItemThatNamesAYearIsNoFooter) {
  PdfPage page;
  for (int row = 0; row < 30; ++row)
    page.lines.push_back({72, 740.0 - 22 * row, "- an item of a list", 11});
  page.lines.push_back({72, 740.0 - 22 * 30, "- a member of the board in 2022-2024", 11});
  expect_has(markdown_of(page), "a member of the board in 2022-2024");
}

TEST(PageSeed58, AHeadingInCapitalsAboveAnotherIsOneOfItsOwn) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back({72, 650, "MATERIALS AND METHODS", 11, "F2"});
  page.lines.push_back({72, 636, "Cell Culture", 11, "F2"});
  add_prose(page, 72, 610, 6);
  const std::string text = markdown_of(page);
  expect_has(text, "MATERIALS AND METHODS\n");
  expect_has(text, "Cell Culture\n");
}

TEST(PageSeed58, ABracketIsNotEmphasisedWithoutItsOther) {
  PdfPage page;
  add_prose(page, 72, 740, 2);
  page.lines.push_back({72, 712, "as is shown there", 10});
  page.lines.push_back({160, 712, "\\(Figure 3", 10, "F2"});
  page.lines.push_back({208, 712, "and below\\) and in what comes after it on the page", 10});
  expect_has(markdown_of(page), "(**Figure 3** and below)");
}

TEST(PageSeed58, FontsOfLibertineSayTheirStyle) {
  EXPECT_TRUE(font_style("LinBiolinumTB").bold);
  EXPECT_TRUE(font_style("LinLibertineTI").italic);
  EXPECT_FALSE(font_style("LinLibertineT").bold || font_style("LinLibertineT").italic);
}

TEST(PageSeed58, ChecksAndNumbersOfDingbatsAreNoBullets) {
  const auto restored = [](const std::string& text) {
    std::vector<Word> words{{text, {0, 0, 10, 10}}};
    words[0].font = "ZapfDingbats";
    restore_symbol_bullets(words);
    return words[0].text;
  };
  EXPECT_EQ(restored("3"), "✓");
  EXPECT_EQ(restored("7"), "✗");
  EXPECT_EQ(restored("\u00AC"), "①");
  EXPECT_EQ(restored("✔"), "✔");
  EXPECT_EQ(restored("l"), "•");  // a disc
}

TEST(PageSeed58, TheLettersOfATimetableTellNoLanguage) {
  std::vector<Word> words;
  for (int i = 0; i < 400; ++i)
    words.push_back({std::to_string(1 + i % 12) + ":" + std::to_string(10 + i % 50) + "ap" [i % 2],
                     { 0, 0, 10, 10 }});
  EXPECT_TRUE(reads_as_language(words));
}

TEST(PageSeed58, ANameInBracketsNeedsNoEscapeWithinALine) {
  EXPECT_EQ(escape_markdown("as in [16]: all"), "as in [16]: all");
  EXPECT_EQ(escape_markdown("[16]: all"), "[16\\]: all");
  EXPECT_EQ(escape_cell("in $\\mu\\varepsilon$ at $x_{2}$"), "in $\\mu\\varepsilon$ at $x_{2}$");
  EXPECT_EQ(escape_cell("with $n$ or $k=0$"), "with $n$ or $k=0$");
  EXPECT_EQ(escape_cell("$5-$"), "\\$5-$");
}

}  // namespace
}  // namespace docspec
