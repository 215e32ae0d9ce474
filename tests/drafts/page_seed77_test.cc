// What was misread on forty pages drawn at random (seed 77), and on payslips of the draw before.
#include <gtest/gtest.h>

#include "drafts/layout/paragraphs.h"
#include "drafts/lines/text_blocks.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed77, HeadsHardlyABlankApartBetweenRulesAreOfTheTableBelow) {
  PdfPage page;
  add_prose(page, 72, 720, 5);
  page.drawing = test::rule(72, 340, 612) + test::rule(72, 340, 594) + test::rule(72, 340, 518);
  const char* const kHeads[] = {"port", "m0144", "m1524", "m2534", "m3544", "m4554", "m5564"};
  for (int c = 0; c < 7; ++c) page.lines.push_back({74.0 + 37 * c, 599, kHeads[c], 10});
  for (int row = 0; row < 5; ++row) {
    page.lines.push_back({74, 581.0 - 13 * row, std::string("A") + char('D' + row), 10});
    for (int c = 1; c < 7; ++c)
      page.lines.push_back({90.0 + 37 * c, 581.0 - 13 * row, std::to_string(10 + row + c), 10});
  }
  add_prose(page, 72, 490, 5);
  expect_has(markdown_of(page), "| port | m0144 | m1524 | m2534 | m3544 | m4554 | m5564 |");
}

TEST(PageSeed77, EntriesWithCodesBetweenColumnLinesAreRowsBelowTheirHeads) {
  PdfPage page;
  page.drawing = test::rectangle("f", 72, 600, 400, 16);
  page.drawing = "0.8 g\n" + page.drawing + "0 g\n";
  const double kEdges[] = {72, 130, 300, 390, 472};
  for (int c = 0; c < 4; ++c)
    page.drawing += test::frame(kEdges[c], 480, kEdges[c + 1] - kEdges[c], 120);
  const char* const kHeads[] = {"Code", "Entry", "Gain", "Loss"};
  for (int c = 0; c < 4; ++c) page.lines.push_back({kEdges[c] + 8, 604, kHeads[c], 9});
  const char* const kTexts[] = {"Lamp oil", "Ropes of hemp", "Bread", "Tar and paint", "Wages"};
  for (int k = 0; k < 5; ++k) {
    const double y = 588 - 11 * k;
    page.lines.push_back({76, y, std::to_string(559000 + 10 * k), 9});
    page.lines.push_back({134, y, kTexts[k], 9});
    page.lines.push_back({k % 2 == 0 ? 310.0 : 400.0, y, std::to_string(12 + k) + ".50", 9});
  }
  add_prose(page, 72, 440, 5);
  const std::string text = markdown_of(page);
  expect_has(text, "| Code | Entry | Gain | Loss |");
  expect_has(text, "| 559010 | Ropes of hemp |  | 13.50 |");
  expect_has(text, "| 559040 | Wages | 16.50 |  |");
}

TEST(PageSeed77, NumberedHeadingsOfTwoColumnsHaveOneLevel) {
  PdfPage page;
  const auto add_column = [&](double x, double head, const char* name) {
    page.lines.push_back({x, head, name, 13, "F2"});
    for (double y = 720; y > 100; y -= 12)
      if (y > head + 14 || y < head - 14)
        page.lines.push_back({x, y, "the keeper wrote the hour into his book and", 10});
  };
  add_column(60, 400, "2  RELATED HARBOURS");
  add_column(330, 560, "3  FORMAL LIGHTS");
  const std::string text = markdown_of(page);
  expect_has(text, "## 2 RELATED HARBOURS");
  expect_has(text, "## 3 FORMAL LIGHTS");
}

TEST(PageSeed77, ASectionSignBeforeANumberIsNoNote) {
  PdfPage page;
  add_prose(page, 72, 720, 20);
  page.lines.push_back({72, 470,
                        "the law of the sea(\xA7"
                        "2) knows no such harbour",
                        10});
  page.lines.push_back({72, 120,
                        "\xA7"
                        "3 Waves of the sea",
                        8});
  page.lines.push_back({72, 108, "as far as the mole reaches", 8});
  expect_lacks(markdown_of(page), "[^");
}

TEST(PageSeed77, CompoundsKeepTheHyphenAtTheEndOfALine) {
  PdfPage page;
  add_prose(page, 72, 720, 5);
  page.lines.push_back({72, 660, "unless the ropes at that quay have been garbage-", 10});
  page.lines.push_back({72, 648, "collected by the men, each in a chest of a fixed-", 10});
  page.lines.push_back({72, 636, "size, the port has over-", 10});
  page.lines.push_back({72, 624, "size barrels", 10});
  const std::string text = markdown_of(page);
  expect_has(text, "garbage-collected");
  expect_has(text, "fixed-size");
  expect_has(text, "oversize");
}

/// How many blocks two rows of Chinese letters of 20 pixels make, the second one bold.
size_t blocks_above_bold(const std::string& plain, const std::string& bold) {
  std::vector<Word> words;
  for (const std::string& text : {plain, bold}) {
    const int y = 24 * int(words.size());
    words.push_back({text, {0, y, 20 * int(text.size() / 3), y + 20}});
    words.back().heavy = words.size() == 2;
  }
  const auto lines = group_lines(words, 72);
  return group_blocks(lines, {0, 1}, words).size();
}

TEST(PageSeed77, AFullChineseLineGoesOnInBold) {
  EXPECT_EQ(blocks_above_bold("我们走到门前看见他还在", "等人于是和他说了一些话"), 1u);
  EXPECT_EQ(blocks_above_bold("我们走到门前看见他。", "等人于是和他说了一些话"), 2u);
  EXPECT_EQ(blocks_above_bold("我们走到门前", "等人于是和他说了一些话"), 2u) << "room for more";
}

TEST(PageSeed77, AFullBoldChineseLineOfAScanGoesOnBelow) {
  std::vector<Word> words = {{"我们走到门前看见他还在等人于是", {40, 0, 340, 20}},
                             {"和他说了一些话又走到门前", {43, 24, 283, 44}}};
  words[0].heavy = true;
  const auto lines = group_lines(words, 72);
  EXPECT_EQ(group_blocks(lines, {0, 1}, words).size(), 1u) << "the boxes of OCR begin unevenly";
}

TEST(PageSeed77, ALastLineShorterThanTheIndentIsOfItsParagraph) {
  const auto blocks = [](int last_x0, int last_y0) {
    const std::vector<Word> words = {{"我们走到门前看见他还在等人于是", {40, 0, 340, 20}},
                                     {"说了", {last_x0, last_y0, last_x0 + 36, last_y0 + 20}},
                                     {"第二天他又来到门前看见一个人", {40, 72, 320, 92}}};
    const auto lines = group_lines(words, 72);
    return group_blocks(lines, {0, 1, 2}, words).size();
  };
  EXPECT_EQ(blocks(0, 24), 2u);
  EXPECT_EQ(blocks(-60, 24), 3u) << "a note at the margin";
}

/// How many paragraphs rows of Chinese letters of 20 pixels make, each with the place where it
/// begins.
size_t paragraphs_of_rows(const std::vector<std::pair<int, std::string>>& rows) {
  std::vector<Word> words;
  TextBlock block;
  for (const auto& [x, text] : rows) {
    const int y = 24 * int(words.size());
    block.push_back(int(words.size()));
    words.push_back({text, {x, y, x + 20 * int(text.size() / 3), y + 20}});
  }
  return split_paragraphs(block, group_lines(words, 72), words).size();
}

TEST(PageSeed77, ChineseParagraphsBeginTwoCharactersInAlsoWithAQuotation) {
  const std::string full = "我们走到门前看见他还在等人", rest = "我们走到门前看见他还在";
  EXPECT_EQ(paragraphs_of_rows(
                {{40, rest}, {0, full + "。"}, {40, "“走吧”"}, {40, "“" + rest}, {0, full}}),
            3u);
  EXPECT_EQ(paragraphs_of_rows({{40, rest}, {0, full}, {40, rest}, {0, full}}), 2u)
      << "a full line may be the last of its paragraph";
  EXPECT_EQ(paragraphs_of_rows({{0, full}, {0, full}, {0, full}}), 1u);
}

}  // namespace
}  // namespace docspec
