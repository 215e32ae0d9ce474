#include "drafts/ocr/formulas/seen_fractions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "drafts/latex/fraction_latex.h"
#include "drafts/ocr/formulas/fraction_lines.h"
#include "drafts/ocr/formulas/join_seen.h"
#include "tests/support/one_answer.h"

namespace docspec {
namespace {

constexpr double kInkEm = 40;

/// A digit of the text's size that stands on a base line.
Box digit_at(int x, int base) {
  return {x, base - 28, x + 18, base};
}

/// The fractions of a bar and pieces of ink.
std::vector<SeenFraction> fractions_of(const Box& bar, std::vector<Box> pieces) {
  pieces.push_back(bar);
  return find_fractions(std::vector<Box>{bar}, pieces, kInkEm);
}

TEST(SeenFractions, ABarWithDigitsCloseAboveAndBelowIsAFraction) {
  const Box bar{112, 200, 146, 204};
  const std::vector<Box> pieces = {bar, digit_at(120, 192), digit_at(120, 240)};
  const std::vector<SeenFraction> found = fractions_of(bar, {pieces[1], pieces[2]});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].bar, bar);
  EXPECT_EQ(found[0].above, pieces[1]);
  EXPECT_EQ(found[0].below, pieces[2]);
}

TEST(SeenFractions, UnderlinesDashesAndChineseStrokesAreNone) {
  const Box bar{100, 200, 160, 204};
  EXPECT_TRUE(fractions_of(bar, {digit_at(120, 192)}).empty());
  EXPECT_TRUE(fractions_of(bar, {digit_at(120, 192), digit_at(120, 290)}).empty()) << "next line";
  EXPECT_TRUE(fractions_of(bar, {{105, 180, 155, 184}, {95, 220, 165, 224}}).empty()) << "三";
  EXPECT_TRUE(fractions_of({100, 200, 108, 204}, {digit_at(96, 192), digit_at(96, 240)}).empty())
      << "a hyphen";
  EXPECT_TRUE(fractions_of(bar, {{20, 164, 240, 192}, digit_at(120, 240)}).empty())
      << "wider than the bar";
}

TEST(SeenFractions, ASignThatTouchesTheBarIsCutOff) {
  const auto found = fractions_of({76, 200, 150, 204}, {digit_at(116, 192), digit_at(116, 240)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GE(found[0].bar.x0, 100);
}

/// "根据题意得" before a fraction, "=2" behind it, and "的值是多少" behind that.
struct ReadFractions : testing::Test {
  PageImage image{1, 700, 300, 200};
  std::vector<Word> words;
  std::vector<Box> asked;
  const char *above = "1", *below = "x";  // read again

  ReadFractions() {
    for (int y = 0; y < image.height_px(); ++y)
      std::fill_n(image.row(y), size_t(image.width_px()) * 3, uint8_t(255));
    ink({260, 200, 320, 204}), ink(digit_at(280, 192)), ink(digit_at(280, 240));
    ink({335, 196, 360, 200}), ink({335, 206, 360, 210}), ink(digit_at(366, 216));
    add("根据题意得", {40, 182, 240, 222}, 1);
    add("1", {278, 160, 300, 194}, 2);
    add("x", {278, 210, 300, 242}, 3);
    add("=2", {334, 186, 386, 218}, 4);
    add("的值是多少", {400, 182, 600, 222}, 5);
  }

  void ink(const Box& box) {
    for (int y = box.y0; y < box.y1; ++y)
      std::fill_n(image.row(y) + size_t(box.x0) * 3, size_t(box.width()) * 3, uint8_t(0));
  }
  void add(const std::string& text, const Box& box, int line) {
    Word word{text, box};
    word.line = line, word.font_size_pt = 14;
    words.push_back(word);
  }
  std::vector<std::string> read(ReadFormula answer) {
    LazyFormulaReader reader([&] { return std::make_unique<test::OneAnswer>(answer, asked); });
    const auto again = [&](std::span<const Box> lines) {
      std::vector<Word> seen;
      for (size_t i = 0; i < lines.size(); ++i)
        if (const char* text = i % 2 == 0 ? above : below; *text) seen.push_back({text, lines[i]});
      return seen;
    };
    std::vector<std::string> texts;
    for (const Word& word : read_fractions_of_lines(reader, again, image, words))
      texts.push_back(word.text);
    return texts;
  }
};

using Texts = std::vector<std::string>;

TEST_F(ReadFractions, TheModelReadsTheFractionWithItsFormula) {
  EXPECT_EQ(read({"\\frac{1}{x}=2.", 2}), (Texts{"根据题意得", "$\\frac{1}{x}=2$", "的值是多少"}));
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_GE(asked[0].x0, 240);
  EXPECT_LE(asked[0].x1, 400);
  EXPECT_LE(asked[0].y0, 164);
  EXPECT_GE(asked[0].y1, 240);
}

TEST_F(ReadFractions, AMinusThatOcrDidNotSeeIsKept) {
  ink({245, 200, 257, 204});
  EXPECT_EQ(read({"", 0})[1], "$-\\frac{1}{x}$");
}

TEST_F(ReadFractions, WhatItIsNotSureOfIsPutTogetherFromOcrsWords) {
  for (const ReadFormula& answer :
       {ReadFormula{"\\frac{7}{y}=2", 3}, ReadFormula{"\\frac{1}{x}=2", 2, 0.5}, ReadFormula{"", 0},
        ReadFormula{"\\frac{1}{x}=2)", 2}, ReadFormula{"\\oint\\frac{1}{x}=2", 2}})
    EXPECT_EQ(read(answer), (Texts{"根据题意得", "$\\frac{1}{x}$", "=2", "的值是多少"}))
        << answer.latex;
}

TEST_F(ReadFractions, NothingIsLostWhereNeitherKnows) {
  above = "得";
  EXPECT_EQ(read({"", 0}), (Texts{"根据题意得", "1", "x", "=2", "的值是多少"}));
}

TEST_F(ReadFractions, AWordOfBothPartsGivesWay) {
  words.erase(words.begin() + 1, words.begin() + 3);
  words.insert(words.begin() + 1, Word{"1x", {270, 160, 310, 242}});
  words[1].line = 2;
  EXPECT_EQ(read({"", 0}), (Texts{"根据题意得", "$\\frac{1}{x}$", "=2", "的值是多少"}));
}

TEST_F(ReadFractions, AFractionAwayFromTextStays) {
  words[0].box = {0, 20, 200, 60}, words[4].box = {400, 20, 600, 60};
  EXPECT_EQ(read({"\\frac{1}{x}=2", 2}).size(), 5u);
}

TEST(FractionLatex, PartsAreLettersDigitsSumsAndRoots) {
  EXPECT_EQ(plain_part({"5√3", 1}), "5\\sqrt{3}");
  EXPECT_EQ(plain_part({"√32+42", 1}), "") << "how far the root reaches is not known";
  EXPECT_EQ(plain_part({"24+x—1", 0.9}), "24+x-1");
  EXPECT_EQ(plain_part({"∂z", 1}), "\\partial z");
  EXPECT_EQ(plain_part({"12", 0.5}), "") << "not sure";
  EXPECT_EQ(plain_part({"(a)", 1}), "");
  EXPECT_EQ(plain_part({"得1", 1}), "");
}

TEST(FractionLatex, ItAgreesWithLettersDigitsAndSigns) {
  EXPECT_TRUE(agrees("y=-\\frac{1}{2}x+5", "y=x+512"));
  EXPECT_FALSE(agrees("y-\\frac{1}{2}x+5", "y=x+512")) << "the relation is lost";
  EXPECT_FALSE(agrees("y=-\\frac{1}{2}X+5", "y=x+512"));
  EXPECT_TRUE(agrees("\\frac{(x-1)^2}{5}", "(x-1)²5"));
  EXPECT_FALSE(agrees("a<\\frac{4}{3}", "a<—43")) << "the minus is lost";
  EXPECT_FALSE(agrees("360^x\\frac{20}{50}", "360°×2050"));
  EXPECT_TRUE(agrees("2x+\\frac{1}{3}", "2×+13")) << "a letter that looks like a sign";
  EXPECT_EQ(without_faces("\\mathbf{a}+\\mathrm{m}^2+\\mathbf{x+y}"), "a+m^2+\\mathbf{x+y}");
}

Word formula_at(const std::string& text, int x0, int x1) {
  Word word{text, {x0, 100, x1, 140}};
  word.formula = text[0] == '$';
  return word;
}

TEST(JoinSeenFormulas, SignsJoinTheirSides) {
  const auto joined = [](std::vector<std::string> texts, int gap = 8) {
    std::vector<Word> words;
    int x = 0;
    for (const std::string& text : texts) {
      words.push_back(formula_at(text, x, x + 60));
      if (text == "-") words.back().box.y0 = 118, words.back().box.y1 = 124;
      x += 60 + gap;
    }
    Texts out;
    for (const Word& word : join_seen_formulas(words)) out.push_back(word.text);
    return out;
  };
  EXPECT_EQ(joined({"$y=60t$", "-", "$\\frac{3}{2}$", "$t^{2}$"}),
            Texts{"$y=60t-\\frac{3}{2}t^{2}$"});
  EXPECT_EQ(joined({"$CE$", "$\\perp AB$"}), Texts{"$CE\\perp AB$"});
  EXPECT_EQ(joined({"$ax^{2}+$", "bx", "$+c$"}), Texts{"$ax^{2}+bx+c$"});
  EXPECT_EQ(joined({"$a$", "$b$"}), (Texts{"$a$", "$b$"}));
  EXPECT_EQ(joined({"$a$", "和", "$b$"}), (Texts{"$a$", "和", "$b$"}));
  EXPECT_EQ(joined({"$a=$", "$b$"}, 90), (Texts{"$a=$", "$b$"})) << "far away";
}

}  // namespace
}  // namespace docspec
