// Display formulas from words with places, as TeX sets them at 72 dpi: 10 points, indices 7.
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>
#include <tuple>

#include "core/text/unicode.h"
#include "drafts/formula/formula_bars.h"
#include "drafts/formula/formula_finder.h"
#include "drafts/latex/formula_latex.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

constexpr double kDpi = 720;  // ten pixels a point

Word word(const char* text, double x, double y, double width, double size = 10,
          const char* font = "CMMI10", double height = 1) {
  Word out{text, {int(10 * x), int(10 * y), int(10 * (x + width)), int(10 * (y + height * size))}};
  out.font_size_pt = size;
  out.font = font;
  return out;
}

Box bar(double x, double y, double width) {
  return {int(10 * x), int(10 * y), int(10 * (x + width)), int(10 * y) + 5};
}

TEST(Formula, IndicesAreRaisedAndLowered) {
  const std::vector<Word> words = {word("x", 0, 10, 5),
                                   word("i", 5, 14, 3, 7),
                                   word("2", 5.2, 7, 4, 7),
                                   word("+", 12, 10, 7),
                                   word("β", 22, 10, 6),
                                   word("=", 31, 10, 7),
                                   word("0", 41, 10, 5, 10, "CMR10")};
  EXPECT_EQ(formula_latex(words, {}, kDpi), "x_{i}^{2}+\\beta=0");
}

TEST(Formula, BarsAreFractionsAndRoots) {
  const std::vector<Word> words = {word("r", 0, 10, 5),  word("=", 8, 10, 7),
                                   word("p", 18, 3, 5),  word("2", 18, 17, 5),
                                   word("+", 26, 10, 7), word("√", 36, 1, 9, 10, "CMEX10", 1.2),
                                   word("q", 45, 3, 5),  word("4", 43, 17, 5)};
  const std::vector<Box> bars = {bar(18, 14.8, 5), bar(45, 1.5, 6), bar(36, 14.8, 15)};
  EXPECT_EQ(formula_latex(words, bars, kDpi), "r=\\frac{p}{2}+\\frac{\\sqrt{q}}{4}");
}

/// The bars that are found at a word of one letter: `strokes` are its ink.
size_t bars_at_letter(const std::vector<Box>& strokes) {
  PageImage image(1, 200, 100, 200);
  for (int y = 0; y < 100; ++y) std::memset(image.row(y), 255, size_t(200) * 3);
  for (const Box& stroke : strokes)
    for (int y = stroke.y0; y < stroke.y1; ++y)
      std::memset(image.row(y) + size_t(stroke.x0) * 3, 0, size_t(stroke.width()) * 3);
  const std::vector<Word> words = {{"T", {50, 40, 70, 70}, 1, 10, "CMMI10"}};
  return find_bars(image, 1, {40, 20, 90, 80}, words).size();
}

TEST(Formula, TheTopOfALetterIsNoBarAboveIt) {
  EXPECT_EQ(bars_at_letter({{51, 40, 69, 42}, {59, 40, 62, 66}}), 0u);
  EXPECT_EQ(bars_at_letter({{51, 39, 69, 41}, {51, 45, 69, 47}, {59, 45, 62, 66}}), 1u);
}

TEST(Formula, SumsHaveLimitsAndBracketsGrow) {
  const std::vector<Word> words = {
      word("∑", 0, 8, 14, 10, "CMEX10", 1.4), word("i=0", 1, 24, 12, 7), word("n", 5, 1, 5, 7),
      word("(", 16, 6, 6, 10, "CMEX10", 1.8), word("a", 22, 10, 5),      word("i", 27, 14, 3, 7),
      word(")", 31, 6, 6, 10, "CMEX10", 1.8), word("2", 37, 4, 4, 7)};
  EXPECT_EQ(formula_latex(words, {}, kDpi), "\\sum_{i=0}^{n}\\left(a_{i}\\right)^{2}");
}

TEST(Formula, TheNumberIsATag) {
  const std::vector<Word> words = {word("a", 0, 10, 5), word("<", 8, 10, 7), word("b", 18, 10, 5),
                                   word("(A.3)", 90, 10, 20, 10, "CMR10")};
  EXPECT_EQ(formula_latex(words, {}, kDpi), "a<b \\tag{A.3}");
}

TEST(Formula, WhatHasNoLatexOrNoPlaceIsLeftAlone) {
  const std::vector<Word> unknown = {word("x", 0, 10, 5), word("=", 8, 10, 7),
                                     word("\uFFFD", 18, 10, 5)};
  EXPECT_FALSE(formula_latex(unknown, {}, kDpi));
  const std::vector<Word> root = {word("√", 0, 10, 9), word("2", 9, 10, 5)};
  EXPECT_FALSE(formula_latex(root, {}, kDpi)) << "where it ends is not known";
}

TEST(Formula, WordsStayApartFromCommands) {
  EXPECT_EQ(latex_of(word("αx", 0, 0, 9)), "\\alpha x");
  EXPECT_EQ(latex_of(word("𝓁", 0, 0, 9)), "\\ell");
  EXPECT_EQ(latex_of(word("sin", 0, 0, 9, 10, "CMR10")), "\\sin");
  EXPECT_EQ(latex_of(word("{50%}", 0, 0, 9, 10, "CMR10")), "\\{50\\%\\}");
}

std::vector<FormulaLines> formulas_of(const std::vector<Word>& words) {
  return find_formulas(group_lines(words, kDpi), words, 100);
}

TEST(Formula, IsALineOfSignsAndNotTheEndOfAParagraph) {
  std::vector<Word> words;
  for (int i = 0; i < 8; ++i) words.push_back(word("proves", 10 + 32 * i, 10, 29, 10, "CMR10"));
  words.push_back(word("n", 10, 22, 5));
  words.push_back(word("=", 18, 22, 7, 10, "CMR10"));
  words.push_back(word("3.", 28, 22, 8, 10, "CMR10"));
  EXPECT_TRUE(formulas_of(words).empty());
  for (size_t i = 8; i < words.size(); ++i) {
    words[i].box.x0 += 1000, words[i].box.x1 += 1000;
    words[i].box.y0 += 100, words[i].box.y1 += 100;
  }
  ASSERT_EQ(formulas_of(words).size(), 1u);
  EXPECT_TRUE(formulas_of(words)[0].alone);
}

/// Lines as OCR reads them: without fonts, each with a number.
std::vector<Word> seen_words(const std::vector<std::tuple<int, int, std::string>>& lines) {
  std::vector<Word> words;
  int number = 0;
  for (const auto& [x, y, text] : lines) {
    ++number;
    std::istringstream parts(text);
    int at = x;
    for (std::string part; parts >> part;) {
      const int width = int(count_code_points(part)) * 50;
      Word read{part, {at, y, at + width, y + 100}, 1, 100 * 72 / kDpi};
      read.line = number;
      words.push_back(read);
      at += width + 40;
    }
  }
  return words;
}

TEST(Formula, OfOcrIsItsHalvesAndRowsAndNoProse) {
  const std::string prose = "the gain of an antenna that is used here is found by this";
  std::vector<Word> words = seen_words({{100, 100, prose},
                                        {800, 400, "G = 0.51"},
                                        {1250, 330, "4πAp"},
                                        {1280, 470, "λ2"},
                                        {820, 570, "= 0.7"},
                                        {2600, 400, "(13)"},
                                        {2600, 570, "(14)"},
                                        {100, 900, prose}});
  const std::vector<FormulaLines> found = formulas_of(words);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].lines.size(), 5u) << "with one number";
  EXPECT_TRUE(found[0].alone);
}

TEST(Formula, OfOcrIsNoLimitBelowALineOfText) {
  EXPECT_TRUE(formulas_of(seen_words({{100, 100, "for all of them we have lim f(x) and so on"},
                                      {1350, 210, "n→∞"}}))
                  .empty());
  EXPECT_TRUE(formulas_of(seen_words({{100, 100, "因此我们有 x = 3"}})).empty());
  EXPECT_TRUE(formulas_of(seen_words({{100, 100, "Speed = 5"}})).empty()) << "a name and a value";
  EXPECT_TRUE(formulas_of(seen_words({{100, 100, "So the ciphertext of M is C = 57."}})).empty());
}

}  // namespace
}  // namespace docspec
