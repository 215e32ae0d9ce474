// Pages that were misread in the draw of seed 69: algorithms, listings, slides, statutes,
// contracts, Chinese verses, formulas of Word.
#include <gtest/gtest.h>

#include "drafts/lines/bullets.h"
#include "drafts/page_doubts.h"
#include "drafts/text/hard_breaks.h"
#include "drafts/text/typed_prose.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::kProse;
using test::markdown_of;
using test::PdfPage;
using test::rule;

TEST(PageSeed69, AnAlgorithmIsReadRowByRow) {
  PdfPage page;
  add_prose(page, 72, 720, 4);
  page.drawing = rule(72, 540, 640) + rule(72, 540, 622) + rule(72, 540, 540);
  const std::pair<double, const char*> rows[] = {{72, "Algorithm 1 Sums up"},
                                                 {72, "Require: some numbers"},
                                                 {72, "1: for each of them do"},
                                                 {92, "2: add it to"},
                                                 {92, "3: the sum"},
                                                 {72, "4: end for"}};
  for (int row = 0; row < 6; ++row)
    page.lines.push_back({rows[row].first, 627.0 - (row ? 6 : 0) - 13 * row, rows[row].second, 10});
  add_prose(page, 72, 500, 6);
  const std::string text = markdown_of(page);
  expect_has(text,
             "Sums up\n\nRequire: some numbers\n\n1: for each of them do\n\n2: add it to\n\n"
             "3: the sum\n\n4: end for");
}

TEST(PageSeed69, AnAlgorithmInTwoColumnsIsReadColumnByColumn) {
  PdfPage page;
  add_prose(page, 72, 720, 4);
  page.drawing = rule(72, 540, 640) + rule(72, 540, 622) + rule(72, 540, 560);
  page.lines.push_back({72, 627, "Algorithm 1 Sums up", 10});
  for (int row = 0; row < 4; ++row)
    for (const int column : {0, 1})
      page.lines.push_back({72.0 + 240 * column, 608.0 - 13 * row,
                            std::to_string(1 + row + 4 * column) + " do what is next", 10});
  add_prose(page, 72, 520, 6);
  expect_has(markdown_of(page), "4 do what is next\n\n5 do what is next");
}

TEST(PageSeed69, LinesThatRunDownPartColumns) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.drawing = rule(72, 540, 672) + rule(72, 540, 650) +
                 test::rectangle("f", 160, 500, 0.6, 150) +
                 test::rectangle("f", 430, 500, 0.6, 150);
  for (const auto& [x, head] : {std::pair(80.0, "Former"), {170.0, "Statutes"}, {440.0, "New"}})
    page.lines.push_back({x, 658, head, 10, "F7"});
  for (int row = 0; row < 9; ++row) {
    const double y = 636 - 15.0 * row;
    page.lines.push_back({170, y, row == 4 ? "and the act of 1895" : "R.S., section", 10});
    if (row == 4) continue;  // goes on with the row above
    page.lines.push_back({90, y, std::to_string(row + 1), 10});
    page.lines.push_back({500, y, std::to_string(row + 101), 10});
  }
  add_prose(page, 72, 460, 4);
  const std::string text = markdown_of(page);
  expect_has(text, "| Former | Statutes | New |");
  expect_has(text, "| 3 | R.S., section | 103 |");
  expect_has(text, "| 4 | R.S., section and the act of 1895 | 104 |");
}

TEST(PageSeed69, ABulletAloneOpensAnItemWhoseLinesHang) {
  PdfPage page;
  add_prose(page, 72, 720, 5);
  page.drawing = test::rectangle("f", 72, 632, 3, 3);
  page.lines.push_back(
      {84, 630, "An item that is longer than the line on which it stands, so that", 10});
  page.lines.push_back({84, 617, "it goes on below.", 10});
  add_prose(page, 72, 590, 5);
  expect_has(markdown_of(page), "- An item that is longer");
  page.lines[6].x = 72;  // at the margin: no item's
  expect_lacks(markdown_of(page), "- An item");
}

TEST(PageSeed69, WordsOfWhichThePageShowsNothingAreLeftOut) {
  PdfPage page;
  add_prose(page, 72, 720, 8);
  page.drawing = "BT 1 g /F1 12 Tf 300 760 Td (Invisible) Tj ET 0 g ";
  expect_lacks(markdown_of(page), "Invisible");
}

TEST(PageSeed69, TheHeadOfASlideIsAHeading) {
  PdfPage page;
  page.width = 720;
  page.height = 540;
  page.lines.push_back({200, 490, "Circulation with demands", 20});
  for (int row = 0; row < 6; ++row) page.lines.push_back({60, 420.0 - 30 * row, kProse, 18});
  expect_has(markdown_of(page), "# Circulation with demands");
  page.lines[0].size = 18;
  expect_lacks(markdown_of(page), "# Circulation");
}

TEST(PageSeed69, BoldPointsAndCentredCapitalsAreHeadings) {
  PdfPage page;
  add_prose(page, 72, 720, 6);
  page.lines.push_back({90, 620, "k. Assignment:", 10, "F2"});
  add_prose(page, 72, 607, 4);
  page.lines.push_back({72, 530, "1.1. The type of it.", 10, "F2"});
  add_prose(page, 72, 517, 4);
  page.lines.push_back({175, 440, "EDITORIAL NOTES", 8.5, "F2"});
  add_prose(page, 72, 420, 6);
  const std::string text = markdown_of(page);
  expect_has(text, "# k. Assignment:\n");
  expect_has(text, "# 1.1. The type of it.\n");
  expect_has(text, "# EDITORIAL NOTES\n");
}

/// Tokens on a grid of 7.2 points, in letters of 6 that are set apart to fill their cells, as TeX's
/// listings are.
TEST(PageSeed69, AListingOnAWideGridHasNoBlanksWithinItsNames) {
  PdfPage page;
  add_prose(page, 72, 720, 4);
  const std::vector<std::vector<std::string>> rows = {
      {"net", " ", "=", " ", "torch", ".", "nn", ".", "Module"},
      {"data", " ", "=", " ", "torch", ".", "utils", ".", "data", ".", "Loader"}};
  for (size_t row = 0; row < rows.size(); ++row) {
    double x = 80;
    for (const std::string& token : rows[row]) {
      const double n = double(token.size()), apart = 1.2 * n / (n + 1);
      if (token != " ")
        page.drawing += "BT /F3 10 Tf " + std::to_string(apart) + " Tc " +
                        std::to_string(x + apart) + " " + std::to_string(640 - 13 * int(row)) +
                        " Td (" + token + ") Tj ET ";
      x += 7.2 * n;
    }
  }
  page.drawing += "0 Tc ";
  add_prose(page, 72, 560, 4);
  expect_has(markdown_of(page), "net = torch.nn.Module\ndata = torch.utils.data.Loader");
}

TEST(PageSeed69, NumbersInAListingsOutputAreNoLineNumbers) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const char* const rows[] = {"sort | uniq -c", " 8 Abel",   "59 Abram",
                              " 1 Accad",       " 2 Achbor", " 8 Adah"};
  for (int row = 0; row < 6; ++row)
    page.lines.push_back({80, 660.0 - 12 * row, rows[row], 10, "F3"});
  expect_has(markdown_of(page), " 1 Accad\n 2 Achbor");
}

Word word(const std::string& text, int x, int y, int width, const std::string& font = "F",
          double size = 10) {
  return {text, {x, y, x + width, y + 20}, 1, size, font};
}

TEST(PageSeed69, TheSignsOfAFontOfOrnamentsAreBullets) {
  std::vector<Word> words = {word(".", 100, 100, 8, "LLADDL+ZztexOrnaments"),
                             word("size", 120, 100, 40, "Arnhem-Blond"),
                             word(".", 170, 100, 8, "Arnhem-Blond")};
  restore_symbol_bullets(words);
  EXPECT_EQ(words[0].text, "•");
  EXPECT_EQ(words[2].text, ".");
}

TEST(PageSeed69, BulletsOfWingdingsMayHaveABlankWithThem) {
  std::vector<Word> words = {word("\uF09F\uF020", 100, 100, 8, "Wingdings-Regular"),
                             word("go", 112, 100, 20)};
  restore_symbol_bullets(words);
  EXPECT_EQ(words[0].text, "•");
}

TEST(PageSeed69, NumbersJoinedToItemsArePartedWhereTheyCount) {
  std::vector<Word> words = {word("1.Entrar", 100, 100, 80), word("3.Reveja", 100, 130, 80),
                             word("2.Abra", 100, 160, 60)};
  part_numbers(words);
  ASSERT_EQ(words.size(), 5u) << "the last one does not count on";
  EXPECT_EQ(words[0].text, "1.");
  EXPECT_EQ(words[1].text, "Entrar");
  EXPECT_EQ(words[3].text, "Reveja");
  EXPECT_LT(words[0].box.x1, words[1].box.x0);
  words = {word("1.Entrar", 100, 100, 80), word("v2.Reveja", 100, 130, 80)};
  part_numbers(words);
  EXPECT_EQ(words.size(), 2u);
}

TEST(PageSeed69, FontsOfOneWidthAreToldByTheirWords) {
  const char* const texts[] = {"zonecfg", "lisa'",  "create;", "running", "Copying", "contents",
                               "STATUS",  "global", "PATH/",   "MEMORY",  "ID.NAME", "installed"};
  std::vector<Word> words;
  for (const char* text : texts) {
    const std::string own = text;
    words.push_back(word(own, 100, 100, int(11 * own.size()) + 1, "Preussen"));
    int width = 1;  // of other letters
    for (const char c : own) width += std::string_view("il't;rf").find(c) < 7 ? 6 : 12;
    for (const int y : {200, 300}) words.push_back(word(own, 100, y, width, "Times"));
  }
  name_typed_fonts(words);
  EXPECT_EQ(words[0].font, "PreussenMono");
  EXPECT_EQ(words[1].font, "Times");
}

TEST(PageSeed69, ChineseVersesKeepTheirLines) {
  const auto breaks = [](const char* end, int free) {
    std::vector<Word> words;
    std::vector<std::vector<int>> rows;
    for (int row = 0; row < 3; ++row) {
      words.push_back(word(std::string("一片花飞减却春") + end, 100, 100 + 30 * row, 160));
      rows.push_back({row});
    }
    return hard_breaks(words, rows, free);
  };
  EXPECT_EQ(breaks("。", 300), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(breaks("，", 300), std::vector<bool>(3, false)) << "no sentence ends";
  EXPECT_EQ(breaks("。", 0), std::vector<bool>(3, false)) << "no room beside them";
}

TEST(PageSeed69, FormulasWhoseFontDoesNotTellTheirLettersAreSaid) {
  PageGlyphs glyphs;
  glyphs.fonts = {"Cambria Math"};
  EXPECT_EQ(doubt_of_letters({}, glyphs), "");
  glyphs.glyphs.resize(3);  // of no letter
  EXPECT_NE(doubt_of_letters({}, glyphs), "");
  glyphs.fonts = {"CMEX10"};
  EXPECT_EQ(doubt_of_letters({}, glyphs), "") << "a sign that nobody asks for";
  std::vector<Word> words = {word("X", 100, 100, 10, "CambriaMath", 20),
                             word("#", 110, 106, 8, "CambriaMath", 15)};
  EXPECT_NE(doubt_of_letters(words, {}), "") << "an index";
  words[1].font_size_pt = 20;
  EXPECT_EQ(doubt_of_letters(words, {}), "") << "a sign of the line";
}

}  // namespace
}  // namespace docspec
