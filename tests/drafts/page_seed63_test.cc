// Pages that were misread in the draw of seed 63, lecture notes, slides and reports from China:
// empty lines of listings, bullets that are joined to Chinese, minus signs as bullets, headings in
// black faces, lines that end early.
#include <gtest/gtest.h>

#include "drafts/lines/bullets.h"
#include "drafts/text/bold_fonts.h"
#include "drafts/text/hard_breaks.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed63, AListingKeepsItsEmptyLines) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const char* const code[] = {
      "import numpy as np", "", "def total(items):", "    count = sum(items)", "", "",
      "total(range(100))"};
  for (int row = 0; row < 7; ++row)
    if (*code[row]) page.lines.push_back({80, 660.0 - 12 * row, code[row], 10, "F3"});
  add_prose(page, 72, 540, 4);
  expect_has(markdown_of(page),
             "import numpy as np\n\ndef total(items):\n    count = sum(items)\n"
             "\n\ntotal(range(100))\n```");
}

TEST(PageSeed63, TheEndOfAListingIsNoPageHeader) {
  PdfPage page;
  page.lines.push_back({80, 765, "control_points[i] = delta", 10, "F3"});
  const char* const code[] = {"height = image.shape[0]", "width = image.shape[1]",
                              "for x in range(width):", "    beta_u = beta(u)"};
  for (int row = 0; row < 8; ++row)
    page.lines.push_back({80, 725.0 - 12 * row, code[row % 4], 10, "F3"});
  add_prose(page, 72, 580, 12);
  expect_has(markdown_of(page), "control_points[i] = delta");
}

std::vector<Word> line(int y, const std::vector<std::string>& texts) {
  std::vector<Word> words;
  int x = 100;
  for (const std::string& text : texts) {
    const int width = int(10 * std::max<size_t>(1, text.size() / 3));
    words.push_back({text, {x, y, x + width, y + 20}, 1, 10, "Song"});
    x += width + 10;
  }
  return words;
}

std::vector<Word> page_of(const std::vector<std::vector<std::string>>& lines) {
  std::vector<Word> words;
  for (size_t i = 0; i < lines.size(); ++i)
    for (Word& word : line(int(100 + 30 * i), lines[i])) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> texts(const std::vector<Word>& words) {
  std::vector<std::string> out;
  for (const Word& word : words) out.push_back(word.text);
  return out;
}

TEST(PageSeed63, BulletsBeforeChineseAreWordsOfTheirOwn) {
  std::vector<Word> words = page_of({{"·天线辐射"}, {"·波束宽度"}, {"一·二"}});
  part_bullets(words);
  EXPECT_EQ(texts(words), (std::vector<std::string>{"·", "天线辐射", "·", "波束宽度", "一·二"}));
  EXPECT_LE(words[0].box.x1, words[1].box.x0);
  words = page_of({{"·天线辐射"}, {"波束宽度"}});
  part_bullets(words);
  EXPECT_EQ(words.size(), 2u);
}

TEST(PageSeed63, AMinusThatOpensLinesOfTextIsABullet) {
  std::vector<Word> words = page_of({{"\u2212", "tags", "of"}, {"\u2212", "members"}});
  restore_symbol_bullets(words);
  EXPECT_EQ(texts(words), (std::vector<std::string>{"•", "tags", "of", "•", "members"}));
  words = page_of({{"\u2212", "x", "+"}, {"\u2212", "y"}, {"a", "\u2212", "tags"}});
  const std::vector<std::string> as_it_was = texts(words);
  restore_symbol_bullets(words);
  EXPECT_EQ(texts(words), as_it_was);
}

TEST(PageSeed63, BlackFacesAreHeavyBesideAnother) {
  std::vector<Word> words = page_of({{"符号表"}, {"信息的数据结构语义"}});
  words[0].font = "SimHei";
  const PageImage image(1, 400, 400, 72);
  mark_bold_fonts(words, image, 1);
  EXPECT_TRUE(words[0].heavy);
  EXPECT_FALSE(words[1].heavy);
  words[1].font = "SimHei";
  words[0].heavy = false;
  mark_bold_fonts(words, image, 1);
  EXPECT_FALSE(words[0].heavy);
}

TEST(PageSeed63, ChineseLinesThatEndEarlyEndThere) {
  const std::vector<Word> words = page_of({{"姓名雍崔扬"},
                                           {"学号二一三零七一四零零五一是一行很长的文字"},
                                           {"这一行也一样长是一行很长的文字其后还有"},
                                           {"续行的文字在这里"}});
  const std::vector<std::vector<int>> rows = {{0}, {1}, {2}, {3}};
  EXPECT_EQ(hard_breaks(words, rows, 0), (std::vector<bool>{false, true, false, false}));
}

}  // namespace
}  // namespace docspec
