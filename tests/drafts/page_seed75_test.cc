// What was misread on forty pages drawn at random (seed 75).
#include <gtest/gtest.h>

#include <cstring>

#include "core/input/pdf_words.h"
#include "drafts/text/bold_fonts.h"
#include "drafts/text/text_trust.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::expect_has;
using test::expect_lacks;
using test::frame;
using test::markdown_of;
using test::PdfPage;
using test::rectangle;
using test::rule;

TEST(PageSeed75, FramedColumnsOfProseAreNoTable) {
  PdfPage page;
  page.lines.push_back({50, 740, "The Harbour Gazette", 20});
  for (int column = 0; column < 3; ++column) {
    const double x = 56 + 170 * column;
    for (int k = 0; k < 40; ++k)
      page.lines.push_back({x, 700.0 - 12 * k - 4 * column,
                            k % 9 == 0
                                ? "The tide of column " + std::to_string(column) + " falls and"
                                : "over sand banks near the old light " + std::to_string(k),
                            9});
    if (column > 0) page.drawing += rectangle("f", x - 12, 220, 0.6, 496);
  }
  page.drawing += frame(46, 220, 520, 496);
  const std::string text = markdown_of(page);
  expect_lacks(text, "|");
  expect_has(text, "The tide of column 0 falls and over sand banks near the old light 1 over");
}

TEST(PageSeed75, ALineLevelWithAHeadingOpensItsColumn) {
  PdfPage page;
  page.drawing = rule(50, 560, 770) + rule(50, 560, 40);
  page.lines.push_back({50, 690, "Gates of a network", 12, "F2"});
  page.lines.push_back({330, 690, "We start with a value of nought", 10});
  for (int k = 0; k < 30; ++k)
    page.lines.push_back(
        {50, 665.0 - 12 * k, "the lamp of the old light was lit at eight each night", 10});
  for (int k = 0; k < 4; ++k)
    page.lines.push_back({330, 650.0 - 40 * k, "One line of step " + std::to_string(k), 10});
  for (int k = 0; k < 8; ++k)
    page.lines.push_back(
        {330, 490.0 - 12 * k, "and the keeper wrote the hour into his log book", 10});
  const std::string text = markdown_of(page);
  EXPECT_GT(text.find("We start with"), text.find("the lamp of")) << text;
  EXPECT_LT(text.find("We start with"), text.find("One line of step 0")) << text;
}

TEST(PageSeed75, ADashThatIsPrintedTwiceIsOne) {
  std::vector<Word> words = {{"试一试——", {100, 10, 200, 30}},
                             {"—选出来了", {160, 11, 260, 31}},
                             {"—", {300, 10, 320, 30}}};
  drop_second_dashes(words);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[1].text, "选出来了");
  EXPECT_EQ(words[1].box.x0, 200);
}

TEST(PageSeed75, BytesOfAnotherAlphabetAreNoLanguage) {
  const auto reads = [](const std::string& text) {
    return reads_as_language(std::vector<Word>(30, {text, {0, 0, 50, 10}}));
  };
  EXPECT_FALSE(reads("Ù¥f,g•?¿Œ‡¼ê."));
  EXPECT_FALSE(reads("《NQÊ¾ÈÉÃË》oÆ。"));
  EXPECT_TRUE(reads("naïveté"));
  EXPECT_TRUE(reads("ÉLÉMENTS"));
  EXPECT_TRUE(reads("Ø12½"));
  EXPECT_TRUE(reads("审评用水"));
}

/// Whether the second of two rows of Chinese, `text`, is taken for bold: columns of ink, one of
/// `step`.
bool is_heavy(int step, const std::string& text = "操作系统", int width = 56) {
  PageImage image(1, 600, 100, 72);
  std::string forty;
  for (int i = 0; i < 40; ++i) forty += "语";
  std::vector<Word> words = {{forty, {0, 10, 560, 24}, 1, 14, "F1"},
                             {text, {20, 40, 20 + width, 54}, 1, 14, "F1"}};
  for (const auto& [word, every] : {std::pair{&words[0], 6}, {&words[1], step}})
    for (int y = word->box.y0; y < word->box.y1; ++y)
      for (int x = word->box.x0; x < word->box.x1; x += every)
        std::memset(image.row(y) + size_t(x) * 3, 0, 3);
  mark_bold_fonts(words, image, 1);
  EXPECT_FALSE(words[0].heavy);
  return words[1].heavy;
}

TEST(PageSeed75, ChineseRowsWithFarMoreInkAreHeavy) {
  EXPECT_TRUE(is_heavy(3));
  EXPECT_FALSE(is_heavy(5));
  EXPECT_FALSE(is_heavy(5, "操作系统操作系统Memory", 154))
      << "a name in Latin letters has ink, too";
}

}  // namespace
}  // namespace docspec
