// What was misread on annual reports, journals and notices (seed 96): amounts side by side, heads
// of several lines, numbered headings at the head of a page, framed text in pictures.
#include <gtest/gtest.h>

#include "drafts/grid/table_columns.h"
#include "drafts/layout/drawn_prose.h"
#include "drafts/lines/gutter.h"
#include "drafts/table/grow_table.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::markdown_of;
using test::PdfPage;

Word word_from(int x0, int x1, int y, const std::string& text, const char* font = "Times") {
  Word word;
  word.text = text;
  word.box = {x0, y, x1, y + 20};
  word.font_size_pt = 10;
  word.font = font;
  return word;
}

TextLine line_of(std::vector<Word>& words, const std::vector<Word>& own) {
  TextLine line;
  for (const Word& word : own) {
    line.words.push_back(int(words.size()));
    line.box = unite(line.box, word.box);
    line.chars += word.text.size();
    words.push_back(word);
  }
  line.size_px = 20;
  return line;
}

TEST(PageSeed96, ASignOfMoneyOpensAnAmountHoweverNearItStands) {
  std::vector<Word> words;
  std::vector<TextLine> lines;
  for (int row = 0; row < 4; ++row) {
    const int y = 30 * row;
    lines.push_back(line_of(words, {word_from(0, 60, y, "Lease")}));
    lines.push_back(line_of(words, {word_from(100, 110, y, "$"), word_from(113, 190, y, "4,100"),
                                    word_from(195, 205, y, "$"), word_from(208, 280, y, "(23)")}));
  }
  const TableColumns found = find_columns(lines, words, 20);
  EXPECT_EQ(found.columns.size(), 3u);
  EXPECT_EQ(found.phrases.size(), 12u);
}

TEST(PageSeed96, UpperLinesStandStraightOverTheirHeads) {
  std::vector<Word> words;
  std::vector<TextLine> table, above;
  const char* const heads[] = {"Instrument", "Term", "issuance", "warrants"};
  for (int c = 0; c < 4; ++c) {
    table.push_back(line_of(words, {word_from(200 * c, 200 * c + 120, 100, heads[c])}));
    table.push_back(line_of(words, {word_from(200 * c, 200 * c + 120, 130, "12")}));
  }
  above.push_back(line_of(words, {word_from(380, 520, 76, "Share")}));
  above.push_back(line_of(words, {word_from(620, 720, 76, "price")}));
  above.push_back(line_of(words, {word_from(640, 720, 52, "Trigger")}));
  EXPECT_EQ(lines_over_heads(table, above, words, 20), (std::vector<int>{0, 1, 2}));
  above.push_back(line_of(words, {word_from(0, 720, 28, "prose")}));
  EXPECT_EQ(lines_over_heads(table, above, words, 20).size(), 3u) << "text ends the heads";
  table[0] = line_of(words, {word_from(0, 120, 100, "2021")});
  EXPECT_TRUE(lines_over_heads(table, above, words, 20).empty()) << "no heads";
}

TEST(PageSeed96, ANumberedHeadingAtTheHeadOfAPageIsNoRunningHead) {
  PdfPage page;
  page.lines.push_back({72, 740, "1  Introduction", 12, "F5"});
  for (int row = 0; row < 40; ++row)
    page.lines.push_back({72, 716 - 13.0 * row, test::kProse, 10, "F4"});
  expect_has(markdown_of(page), "# 1 Introduction");
}

TEST(PageSeed96, AuthorsSideBySideStandBeforeTheAbstract) {
  PdfPage page;
  page.lines.push_back({150, 740, "Tides of the Northern Harbours", 18, "F2"});
  for (int block = 0; block < 4; ++block) {
    const double x = block % 2 ? 370 : 120, y = block < 2 ? 690 : 630;
    const std::string name = std::string("Author ") + char('A' + block);
    page.lines.push_back({x, y, name, 12});
    page.lines.push_back({x, y - 13, "Institute of Seas", 10});
    page.lines.push_back({x, y - 26, "5 Harbour Road", 10});
  }
  page.lines.push_back({72, 560, "ABSTRACT", 12, "F5"});
  page.lines.push_back({320, 560, "1. INTRODUCTION", 12, "F5"});
  for (int row = 0; row < 34; ++row)
    for (const double x : {72.0, 320.0})
      page.lines.push_back({x, 540 - 13.0 * row, "plain words of a text that fills it", 10, "F4"});
  const std::string markdown = markdown_of(page);
  EXPECT_LT(markdown.find("Author B"), markdown.find("ABSTRACT")) << markdown;
  EXPECT_LT(markdown.find("Author D"), markdown.find("ABSTRACT"));
  EXPECT_EQ(markdown.find("# Author"), markdown.npos);
}

/// Rows of dark dashes in a frame.
PageImage framed_rows(bool framed) {
  PageImage image(1, 600, 400, 72);
  for (int y = 0; y < 400; ++y)
    for (int x = 0; x < 600; ++x) {
      const bool letter =
          y % 40 > 10 && y % 40 < 26 && x > 30 && x < 560 && x % 9 < 4 && (y % 40 + x) % 3 > 0;
      const bool side = framed && (x < 4 || x > 595);
      std::fill_n(image.row(y) + size_t(x) * 3, 3, letter || side ? uint8_t(0) : uint8_t(255));
    }
  return image;
}

TEST(PageSeed96, TextOfAPictureIsSeenWithinItsFrame) {
  for (const bool framed : {false, true}) {
    const PageImage image = framed_rows(framed);
    PageInput page;
    page.image = &image;
    page.width_px = 600, page.height_px = 400;
    Region picture;
    picture.kind = RegionKind::picture;
    picture.box = {0, 0, 600, 400};
    EXPECT_EQ(find_drawn_prose(page, {picture}).size(), 1u) << framed;
  }
}

TEST(PageSeed96, WhatOcrReadsInAPictureHidesNoGutter) {
  std::vector<Word> words;
  for (int row = 0; row < 30; ++row)
    for (int column = 0; column < 3; ++column)
      for (int k = 0; k < 5; ++k) {
        const int x = 400 * column + 70 * k;
        words.push_back(word_from(x, x + 62, 600 + 28 * row, "words"));
      }
  ASSERT_EQ(find_gutters(words).all().size(), 2u);
  for (int row = 0; row < 20; ++row)
    for (int k = 0; k < 14; ++k)
      words.push_back(word_from(80 * k, 80 * k + 72, 28 * row, "picture", ""));
  EXPECT_EQ(find_gutters(words).all().size(), 2u);
}

}  // namespace
}  // namespace docspec
