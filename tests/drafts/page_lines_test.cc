// Pages that were misread in the draw of seed 45: lines that end on purpose, contents, labels,
// code.
#include <gtest/gtest.h>

#include <numeric>

#include "core/input/letters/plain_letters.h"
#include "core/input/pdf_words.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/line_text.h"
#include "drafts/text/underscores.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::blocks_of;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

void add_prose(PdfPage& page, double y, int rows, const char* font = "F1") {
  for (int row = 0; row < rows; ++row)
    page.lines.push_back({72, y - 13.0 * row,
                          "a line of plain words that is as long as lines of a text usually", 10,
                          font});
}

TEST(PageLines, EntriesOfABibliographyStandWithTheirKeys) {
  PdfPage page;
  page.lines.push_back({72, 760, "References", 14, "F2"});
  for (int entry = 0; entry < 6; ++entry) {
    const double y = 730 - 40.0 * entry;
    page.lines.push_back({72, y, "[Cop8" + std::to_string(entry) + "]", 10});
    page.lines.push_back(
        {130, y, "Cope wrote about the tide of the north and the basin in year", 10});
    page.lines.push_back({130, y - 12, "of the harbour office.", 10});
  }
  const std::string text = markdown_of(page);
  for (int entry = 0; entry < 6; ++entry)
    expect_has(text, "Cop8" + std::to_string(entry) + "] Cope wrote about the tide");
  expect_has(text, "basin in year of the harbour office.\n");
}

TEST(PageLines, LinesOfAnAddressStayLines) {
  PdfPage page;
  add_prose(page, 740, 8);
  const char* const rows[] = {"Harbour Office", "North Quay 2", "54321 Port"};
  for (int row = 0; row < 3; ++row) page.lines.push_back({72, 600 - 13.0 * row, rows[row], 10});
  add_prose(page, 540, 8);
  expect_has(markdown_of(page), "Harbour Office  \nNorth Quay 2  \n54321 Port\n");
  EXPECT_EQ(markdown_of(page).find("usually  \n"), std::string::npos);
}

TEST(PageLines, ALineThatFoundNoPlaceToBreakEndsNoOther) {
  PdfPage page;
  const std::string line = "a line of plain words that is as long as lines of a text usually";
  const std::string rows[] = {line, line + "-are-where-they-can-break", line + ".", line, "are."};
  for (int row = 0; row < 5; ++row) page.lines.push_back({72, 700 - 13.0 * row, rows[row], 10});
  EXPECT_EQ(blocks_of(page).size(), 1u) << markdown_of(page);
  EXPECT_EQ(blocks_of(page)[0].text.find('\n'), std::string::npos);
}

TEST(PageLines, EntriesOfAListOfContentsNeedNoLeader) {
  PdfPage page;
  page.lines = {{72, 740, "Harbour works", 10, "F2"},
                {394, 740, "3", 10, "F2"},
                {72, 720, "Depths and silt", 10},
                {394, 720, "4", 10},
                {72, 700, "Quays", 10},
                {388.4, 700, "17", 10}};
  for (const double y : {720.0, 700.0})
    page.lines.push_back({150, y, ". . . . . . . . . . . . . . . . . . . . . . . . . . . . .", 10});
  EXPECT_EQ(markdown_of(page), "- Harbour works ... 3\n- Depths and silt ... 4\n- Quays ... 17\n");
}

TEST(PageLines, NumbersThatRiseFarRightOfTheirTextsAreAListOfContents) {
  PdfPage page;
  const int numbers[] = {2, 4, 4, 7, 10, 12, 31};
  std::string list;
  for (int i = 0; i < 7; ++i) {
    const std::string entry = "Section " + std::string(1, char('A' + i)) + " of the cover";
    const std::string number = std::to_string(numbers[i]);
    page.lines.push_back({36, 700.0 - 27 * i, entry, 11});
    page.lines.push_back({559 - 6.12 * double(number.size()), 700.0 - 27 * i, number, 11});
    list += "- " + entry + " ... " + number + "\n";
  }
  EXPECT_EQ(markdown_of(page), list);
  page.lines[7].text = "1";  // a balance, whose figures rise and fall
  expect_lacks(markdown_of(page), "...");
}

TEST(PageLines, ALabelStandsWithWhatItNames) {
  PdfPage page;
  add_prose(page, 740, 3);
  page.lines.push_back({100, 670, "Input:", 10});
  page.lines.push_back({150, 670, "the depth of the water", 10});
  page.lines.push_back({100, 648, "Output:", 10});
  page.lines.push_back({150, 648, "whether the ship may enter", 10});
  const std::string text = markdown_of(page);
  expect_has(text, "Input: the depth of the water\n");
  expect_has(text, "Output: whether the ship may enter\n");
}

TEST(PageLines, CodeAndItsMeaningAreATable) {
  PdfPage page;
  add_prose(page, 740, 6);
  for (int row = 0; row < 4; ++row) {
    page.lines.push_back({80, 640.0 - 13 * row, "rise(" + std::to_string(row) + ")", 10, "F3"});
    page.lines.push_back({220, 640.0 - 13 * row, "the tide of that day", 10});
  }
  expect_has(markdown_of(page), "| rise(1) | the tide of that day |\n");
}

TEST(PageLines, CodeKeepsItsBlanksAndBulletsBeforeCodeAreItems) {
  PdfPage page;
  add_prose(page, 740, 3);
  page.lines.push_back({80, 680, "depth     = 12", 10, "F3"});
  page.lines.push_back({80, 667, "silt_rate = 3", 10, "F3"});
  for (int row = 0; row < 3; ++row) {
    page.lines.push_back({80, 600.0 - 18 * row, "\225", 10});
    page.lines.push_back({92, 600.0 - 18 * row, "run_" + std::to_string(row), 10, "F3"});
  }
  const std::string text = markdown_of(page);
  expect_has(text, "depth     = 12\nsilt_rate = 3\n");
  expect_has(text, "- run_0\n- run_1\n- run_2\n");
}

TEST(PageLines, LinesOfAPrintOutGoFromSideToSide) {
  PdfPage page;
  for (int row = 0; row < 20; ++row) {
    const double y = 740 - 13.0 * row;
    page.lines.push_back({60, y, "PISTOL", 6, "F3"});
    if (row % 2) continue;
    page.lines.push_back({200, y, "REVOLVER", 6, "F3"});
    page.lines.push_back({480, y, "FOUND", 6, "F3"});
  }
  const std::vector<Block> blocks = blocks_of(page);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].kind, RegionKind::code);
  const std::string& text = blocks[0].text;
  const size_t left = text.find("PISTOL "), middle = text.find("REVOLVER ");
  EXPECT_LT(left, middle);
  EXPECT_LT(text.find("FOUND"), text.find('\n')) << text;
}

TEST(PageLines, WhatIsFilledInAfterAColonIsNoIndex) {
  PdfPage page;
  add_prose(page, 740, 4);
  page.lines.push_back({72, 640, "House No:", 12});
  page.lines.push_back({134, 643, "48", 8});
  expect_has(markdown_of(page), "House No: 48");
}

TEST(PageLines, AHeadingOfManyLevelsMayBeOfASmallerFont) {
  PdfPage page;
  add_prose(page, 740, 6);
  page.lines.push_back({72, 640, "2.1.1 Trips of the survey", 9, "F2"});
  add_prose(page, 620, 6);
  expect_has(markdown_of(page), "# 2.1.1 Trips of the survey\n");
}

TEST(PageLines, LettersSetApartAreWords) {
  const auto line = [](const std::string& letters, int width, int gap) {
    std::vector<Word> words;
    int x = 0;
    for (char c : letters) {
      if (c != ' ') words.push_back({std::string(1, c), {x, 0, x + width, 20}});
      x += c == ' ' ? 3 * gap : width + gap;
    }
    for (Word& word : words) word.font = "Times", word.font_size_pt = 12, word.space_after = true;
    std::vector<int> all(words.size());
    std::iota(all.begin(), all.end(), 0);
    return line_text(words, all);
  };
  EXPECT_EQ(line("Vins au Verre", 10, 3), "Vins au Verre");
  EXPECT_EQ(line("ABSTRACT", 10, 6), "ABSTRACT");
  EXPECT_EQ(line("JFMAMJJASOND", 10, 12), "J F M A M J J A S O N D");  // below a chart
  EXPECT_EQ(line("abcdefg", 10, 6), "a b c d e f g");                  // a list of names
}

TEST(PageLines, TheNameOfAFontSaysCode) {
  EXPECT_TRUE(font_style("AAAAAA+SourceCodePro").mono);
  EXPECT_TRUE(font_style("Courier").mono);
  EXPECT_FALSE(font_style("AAAAAA+ArialUnicodeMS").mono);
  EXPECT_FALSE(font_style("LucidaSansUnicode").mono);
}

TEST(PageLines, APageNumberBelowAListingInSmallLettersIsNoText) {
  PdfPage page;
  for (int row = 0; row < 40; ++row)
    page.lines.push_back({72, 700 - 13.0 * row, "int tide = rise(harbour, 3);", 8, "F3"});
  page.lines.push_back({300, 100, "39", 10});
  EXPECT_EQ(blocks_of(page).back().kind, RegionKind::page_footer);
}

TEST(PageLines, TheNumberOfAnAppendixBelongsToItsHeading) {
  PdfPage page;
  page.lines = {{72, 740, "A.2", 14, "F2"}, {115, 740, "Terms and conditions", 14, "F2"}};
  add_prose(page, 700, 6);
  expect_has(markdown_of(page), "A.2 Terms and conditions\n");
}

TEST(PageLines, BoldLettersOfABoldPageHeadNothing) {
  PdfPage page;
  add_prose(page, 740, 8, "F2");
  page.lines.push_back({72, 600, "As an example:", 10, "F2"});
  EXPECT_EQ(markdown_of(page).find('#'), std::string::npos) << markdown_of(page);
}

TEST(PageLines, BoldLettersAmongCodeHeadIt) {
  PdfPage page;
  page.lines.push_back({72, 600, "Tides", 10, "F2"});
  for (int row = 0; row < 20; ++row)
    page.lines.push_back({72, 580 - 13.0 * row, "int tide = rise(harbour, 3);", 10, "F3"});
  expect_has(markdown_of(page), "# Tides\n");
}

TEST(PageLines, WordsOfTwoFontsTellNoWidths) {
  PdfPage page;
  page.lines.push_back({72, 740, "fill filling if fit first files in it fine tiles will it", 10});
  page.lines.push_back({72, 727, "[", 10});
  page.lines.push_back({74.78, 727, "filing", 10, "F3"});
  expect_has(markdown_of(page), "filing");
}

TEST(PageLines, LettersOfSpecialFontsAreLetters) {
  EXPECT_EQ(plain_letters({'o', 0xFB03, 'c', 'e'}),
            (std::vector<uint32_t>{'o', 'f', 'f', 'i', 'c', 'e'}));
  EXPECT_EQ(plain_letters({'o', 0x21B5}), (std::vector<uint32_t>{'o', 'f', 'f'}));
  EXPECT_EQ(plain_letters({0x21B5}), std::vector<uint32_t>{0x21B5});
  EXPECT_EQ(plain_letters({0x2F8F, 0x2ED3}), (std::vector<uint32_t>{0x884C, 0x957F}));
  EXPECT_EQ(plain_letters({0xF645, 0xF732}), (std::vector<uint32_t>{'2', '2'}));
  EXPECT_EQ(plain_letters({0x1D449, 0x210E, 0x1D6FC}), (std::vector<uint32_t>{'V', 'h', 0x3B1}));
}

TEST(PageLines, AStrokeAndItsSignAreOne) {
  std::vector<Word> words = {{"|z|", {0, 0, 30, 20}},
                             {"\u0338", {40, 0, 41, 20}},
                             {"=", {40, 0, 52, 20}},
                             {"a\u0338=b", {60, 0, 90, 20}}};
  join_strokes(words);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[1].text, "≠");
  EXPECT_EQ(words[2].text, "a≠b");
}

/// Two words in one of TeX's fonts with a rule from x0 to x1 at their feet.
std::vector<Word> ruled_words(int x0, int x1) {
  PageImage image(1, 120, 60, 72);
  for (int y = 0; y < 60; ++y) std::fill_n(image.row(y), 3 * 120, uint8_t(255));
  std::fill_n(image.row(36) + 3 * x0, 3 * (x1 - x0), uint8_t(0));
  std::vector<Word> words = {{"my", {10, 20, 40, 40}}, {"files", {50, 20, 100, 40}}};
  for (Word& word : words) word.font = "CMR10";
  join_underscored(words, image, 1);
  return words;
}

TEST(PageLines, AShortRuleBetweenWordsIsAnUnderscoreAndALongOneIsNot) {
  const std::vector<Word> joined = ruled_words(41, 49);
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].text, "my_files");
  EXPECT_EQ(ruled_words(10, 100).size(), 2u);
  EXPECT_EQ(ruled_words(0, 0).size(), 2u);
}

TEST(PageLines, TheChoicesOfAQuestionAreOneLineHoweverFarApart) {
  const auto lines = [](std::vector<const char*> texts) {
    std::vector<Word> words;
    int x = 100;
    for (const char* text : texts) {
      words.push_back({text, {x, 100, x + 30, 120}, 1, 14, "Times"});
      x += 180;
    }
    return group_lines(words, 72).size();
  };
  EXPECT_EQ(lines({"A.3", "B.5", "C.7", "D.9"}), 1u);
  EXPECT_EQ(lines({"(A)", "(B)"}), 1u);
  EXPECT_EQ(lines({"C、甲", "D、乙"}), 1u);
  EXPECT_EQ(lines({"A.3", "C.7"}), 2u) << "not the next one";
  EXPECT_EQ(lines({"Abc", "Bcd"}), 2u);
}

TEST(PageLines, ARuleBehindAWordOfChineseIsABlankToBeFilledIn) {
  const auto filled = [](const char* text, int from, int to, int y) {
    PageImage image(1, 400, 60, 72);
    for (int row = 0; row < 60; ++row) std::fill_n(image.row(row), 3 * 400, uint8_t(255));
    std::fill_n(image.row(y) + 3 * from, 3 * (to - from), uint8_t(0));
    std::vector<Word> words = {{text, {10, 20, 60, 40}}, {"条件。", {200, 20, 260, 40}}};
    if (std::string_view(text) == "name:") words[1].text = "date:";
    add_blanks(words, image, 1);
    return words.size() == 3 ? words[1].text : "";
  };
  EXPECT_EQ(filled("连续的", 64, 190, 38), "____");
  EXPECT_EQ(filled("连续的", 10, 190, 38), "") << "it underlines the word";
  EXPECT_EQ(filled("连续的", 120, 190, 38), "") << "not behind it";
  EXPECT_EQ(filled("连续的", 64, 190, 52), "") << "below the line";
  EXPECT_EQ(filled("连续的", 64, 260, 38), "") << "it goes on below the next word";
  EXPECT_EQ(filled("name:", 64, 190, 38), "") << "the field of a form";
}

TEST(PageLines, JustifiedChineseHasNoBlanks) {
  const std::vector<Word> words = {
      {"本", {0, 0, 20, 20}}, {"章", {24, 0, 44, 20}}, {"。", {54, 0, 74, 20}}};
  EXPECT_EQ(line_text(words, std::vector<int>{0, 1, 2}), "本章 。");
  std::vector<Word> loose;
  for (int i = 0, x = 0; i < 8; x += i++ == 4 ? 26 : 23)
    loose.push_back({"本", {x, 0, x + 20, 20}, 1, 0, "Song"});
  std::vector<int> all(loose.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(line_text(loose, all), "本本本本本本本本");
}

}  // namespace
}  // namespace docspec
