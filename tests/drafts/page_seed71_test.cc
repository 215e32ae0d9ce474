// Pages that were misread in the draws of seeds 71 and 72: heads above rules, Chinese paragraphs
// and items, the fonts of China's journals, brackets beside links.
#include <gtest/gtest.h>

#include <numeric>

#include "core/input/letters/pi_fonts.h"
#include "drafts/layout/paragraphs.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/line_text.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

constexpr const char* kHead = "The Northern Basin";

/// Prose below a line of words, close to it, with rules and frames between.
std::string headed(const std::string& drawing, double size = 10, double width = 612) {
  PdfPage page;
  page.lines.push_back({72, 748, kHead, size});
  page.drawing = drawing;
  page.width = width;
  add_prose(page, 72, 726, 20);
  return markdown_of(page);
}

TEST(PageSeed71, WordsAboveARuleAtTheTopAreAHead) {
  const std::string rule = test::rule(72, 400, 742);
  expect_lacks(headed(rule), kHead);
  expect_has(headed(""), kHead);
  expect_has(headed(test::rule(72, 180, 742)), kHead);               // under a title
  expect_has(headed(rule + test::rule(72, 400, 700)), kHead);        // of a table
  expect_has(headed(rule + test::frame(72, 300, 328, 442)), kHead);  // of a form
  expect_has(headed(rule, 18), kHead);                               // a title
  expect_has(headed(rule, 10, 1200), kHead);                         // of a slide
}

TEST(PageSeed71, AnUnderlinedLineOfTextIsNoHead) {
  PdfPage page;
  page.lines.push_back(
      {72, 748, "As wide as the others, and it is underlined from side to side so", 10});
  page.drawing = test::rule(72, 350, 742);
  add_prose(page, 72, 726, 20);
  expect_has(markdown_of(page), "it is underlined");
}

TEST(PageSeed71, ANumberWithATitleBelowARuleIsAFoot) {
  const auto page = [](const char* foot) {
    PdfPage page;
    add_prose(page, 72, 726, 45);
    page.lines.push_back({72, 130, foot, 8});
    page.drawing = test::rule(72, 400, 142);
    return markdown_of(page);
  };
  expect_lacks(page("194 | Chapter 7: Delays"), "Chapter 7");
  expect_has(page("The same words as a note"), "The same words");
}

TEST(PageSeed71, ANumberAloneOnAPageIsItsNumber) {
  PdfPage page;
  page.lines.push_back({300, 40, "13", 10});
  expect_lacks(markdown_of(page), "13");
}

TEST(PageSeed71, AParagraphGoesOnPastTheNotesOfItsColumn) {
  PdfPage page;
  const std::string row = "words of a column of the text of it";
  for (int line = 0; line < 36; ++line) {
    page.lines.push_back({60, 690 - 13.0 * line, row, 10});
    page.lines.push_back({320, 700 - 13.0 * line, line == 0 ? "below " + row : row, 10});
  }
  page.lines.push_back({60, 194, "1", 6});
  page.lines.push_back({64, 190, "What is said of it here is a note", 10});
  const std::string text = markdown_of(page);
  expect_has(text, "of it below words");
  expect_has(text, "is a note");
}

/// The paragraphs of rows of Chinese letters of 20 pixels, as their first words.
std::vector<std::string> paragraphs(const std::vector<std::pair<int, std::string>>& rows) {
  std::vector<Word> words;
  for (const auto& [x, text] : rows) {
    const int y = 30 * int(words.size());
    words.push_back({text, {x, y, x + 20 * int(text.size() / 3), y + 20}});
  }
  const auto lines = group_lines(words, 72);
  TextBlock all(lines.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::string> firsts;
  for (const TextBlock& part : split_paragraphs(all, lines, words))
    firsts.push_back(words[size_t(lines[size_t(part.front())].words.front())].text);
  return firsts;
}

TEST(PageSeed71, EachIndentedChineseLineAfterASentenceBeginsAParagraph) {
  EXPECT_EQ(paragraphs({{40, "我们走到门前看见他还在"},
                        {0, "等人于是和他说了一些话。"},
                        {40, "他说今天没有人来过了。"},
                        {40, "我问他是不是还要再等一"},
                        {0, "会儿"}})
                .size(),
            3u);
}

TEST(PageSeed71, ChineseItemsBeginParagraphs) {
  for (const char* const mark : {"（二）", "二、", "②", "（2）"})
    EXPECT_EQ(paragraphs({{0, "对于这两种堆哪个更好呢？"},
                          {0, std::string(mark) + "说明一般的过程和步骤"}})
                  .size(),
              2u)
        << mark;
  EXPECT_EQ(paragraphs({{0, "对于这两种堆哪个更好呢？"}, {0, "二十年以前没有人说明这个"}}).size(),
            1u);
}

TEST(PageSeed71, QuestionsWithNumbersBeginParagraphs) {
  std::vector<Word> words;
  for (int row = 0; row < 2; ++row) {
    words.push_back({row ? "Q2." : "Q1.", {0, 30 * row, 40, 30 * row + 20}});
    words.push_back({"Whateverthatis.", {50, 30 * row, 350, 30 * row + 20}});
  }
  const auto lines = group_lines(words, 72);
  EXPECT_EQ(split_paragraphs({0, 1}, lines, words).size(), 2u);
}

TEST(PageSeed71, FontsOfChinesePunctuationAreRead) {
  const auto sign = [](uint32_t code) { return pi_sign("B5+cajcd fnta1", code); };
  EXPECT_EQ(sign('/'), 0x201Cu);
  EXPECT_EQ(sign('0'), 0x201Du);
  EXPECT_EQ(sign(')'), 0x2014u);
  EXPECT_EQ(sign('#'), 0xB7u);
  EXPECT_EQ(sign('5'), 0x300Au);
  EXPECT_EQ(sign(0xB9), 0x2460u) << "one in a circle";
  EXPECT_EQ(pi_sign("B5+cajcd fntaa", '1'), uint32_t('.'));
  EXPECT_EQ(pi_sign("CAJ FNT00", '/'), 0u);
}

Word wide_word(const std::string& text, int x0, int x1) {
  Word out{text, {x0, 0, x1, 20}};
  out.font = "F", out.font_size_pt = 10;
  return out;
}

TEST(PageSeed71, NarrowSignsAmidChineseLettersHaveNoBlanks) {
  std::vector<Word> words = {wide_word("去", 0, 20), wide_word("“", 22, 30),
                             wide_word("大都会", 40, 100), wide_word("”", 102, 110)};
  for (Word& one : words) one.space_after = true;
  const int line[] = {0, 1, 2, 3};
  EXPECT_EQ(line_text(words, line), "去“大都会”");
}

TEST(PageSeed71, AMiddleDotThatOpensLinesIsABullet) {
  std::vector<Word> words = {wide_word("・Divide:", 0, 90), wide_word("・Conquer:", 0, 100)};
  words[1].box = {0, 40, 100, 60};
  part_bullets(words);
  ASSERT_EQ(words.size(), 4u);
  EXPECT_TRUE(is_bullet(words[0].text));
  EXPECT_EQ(words[1].text, "Divide:");
}

TEST(PageSeed71, ABracketAboutALinkIsNotOfIt) {
  const auto linked = [](const std::string& text) {
    std::vector<Word> words = {wide_word(text, 0, 90)};
    words[0].link = "https://example.org";
    const int line[] = {0};
    const MarkedText marked = marked_line(words, line);
    return marked.text.substr(marked.marks[0].from, marked.marks[0].to - marked.marks[0].from);
  };
  EXPECT_EQ(linked("Journals)"), "Journals");
  EXPECT_EQ(linked("(Journals"), "Journals");
  EXPECT_EQ(linked("f(x)"), "f(x)");
}

}  // namespace
}  // namespace docspec
