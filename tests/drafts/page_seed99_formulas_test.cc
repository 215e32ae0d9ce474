// What was misread on sheets of formulas in several scripts (seed 99): sums with limits within a
// line, tall brackets at the end of a formula, formulas in lines that are read from the right.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "drafts/formula/formula_words.h"
#include "drafts/formula/glyph_formulas.h"
#include "drafts/formula/inline_formulas.h"
#include "drafts/lines/line_text.h"
#include "tests/support/glyph_page.h"

namespace docspec {
namespace {

/// The formulas within the lines of a page, each between dollars.
std::string inline_latex(const GlyphPage& page) {
  const GlyphLines lines(page.glyphs());
  std::string all;
  for (const InlineFormula& formula : read_inline_formulas(lines, read_formulas(lines)))
    all += "$" + formula.latex + "$";
  return all;
}

/// A sum as displays have it, its limits above and below.
void put_sum(GlyphPage& page) {
  const double x = page.x() + 1.5;
  page.at(x + 2.25).put("m", "CMMI7", 9.5, 0, 7);
  page.at(x).large(0x58, 7.5);
  page.at(x - 1.25).put("i=1", "CMMI7", -14, 0, 7);
  page.at(x + 10.5);
}

TEST(PageSeed99Formulas, ASumWithLimitsStaysInItsLine) {
  GlyphPage page;
  page.prose(40, 50).line(100, 50).text({"Then", "compute", "the", "matrix"});
  page.variable("S").sign("=");
  const double x = page.x() + 3;
  page.at(x + 5).put("1", "CMR10", 6.8).bar(x, x + 15, 2.5).at(x).math("abc", -6.9).at(x + 15);
  put_sum(page);
  page.math("x").sup("i");
  page.text({"which", "is", "symmetric", "with", "real", "values"});
  EXPECT_EQ(inline_latex(page), "$S=\\frac{1}{abc}\\sum_{i=1}^{m}x^{i}$");
}

TEST(PageSeed99Formulas, ASumInTheNextCellIsNoPartOfALine) {
  GlyphPage page;
  page.prose(40, 50).line(100, 50).text({"regularization", "of", "the", "values"});
  page.at(page.x() + 32);
  put_sum(page);
  page.math("x").sup("i").at(page.x() + 30).text({"absolute", "values"});
  const GlyphLines lines(page.glyphs());
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines.glyph(i).letter == 0x2211) EXPECT_EQ(lines.line_of(i), nullptr);
}

TEST(PageSeed99Formulas, AFormulaReachesToItsTallBracket) {
  GlyphPage page;
  page.prose(40, 50).line(100, 50).text({"The", "kernel", "that", "is", "defined", "by"});
  page.at(page.x() + 3);
  const double begin = page.x();
  page.math("K").sign("=").large(0x12, 10.5);
  const double x = page.x();
  page.math("a", 6.8).bar(x, x + 5, 2.5).at(x).math("b", -6.9).at(x + 5).large(0x13, 10.5);
  const double end = page.x();
  page.text({"is", "of", "Gaussian", "kind"});
  Word word;
  word.text = "K";
  word.box = {int(begin), 92, int(begin) + 6, 103};
  word.font = "CMMI10";
  word.font_size_pt = 10;
  const GlyphLines lines(page.glyphs());
  const auto merged =
      words_with_formulas({word}, page.glyphs(), read_inline_formulas(lines, read_formulas(lines)));
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].text, "$K=\\left(\\frac{a}{b}\\right)$");
  EXPECT_NEAR(merged[0].box.x1, end, 1);
}

/// Words of Hebrew, as they are painted from left to right.
GlyphPage& put_hebrew(GlyphPage& page, int words) {
  for (int i = 0; i < words; ++i) page.put("םולש", "DavidCLM-Medium", 0, 3);
  return page;
}

TEST(PageSeed99Formulas, LinesOfRightToLeftScriptsHoldFormulas) {
  GlyphPage page;
  put_hebrew(page.line(100, 50), 4);
  page.variable("x").sign("∈").variable("R").sup("n");
  put_hebrew(page, 4);
  EXPECT_EQ(inline_latex(page), "$x\\in R^{n}$");
}

TEST(PageSeed99Formulas, AHyphenAtAWordFromRightToLeftIsNoMinus) {
  GlyphPage page;
  put_hebrew(page.line(100, 50), 4);
  page.sign("−", 0).variable("k", 0);
  put_hebrew(page, 4);
  EXPECT_EQ(inline_latex(page), "$k$");
}

TEST(PageSeed99Formulas, ABracketThatOpensMayCloseAnInterval) {
  GlyphPage page;
  page.prose(40, 50).line(100, 50).text({"There", "is", "a", "factor"});
  page.variable("c").sign("∈").roman("[0").math(",").roman("1[").text({"of", "discounts"});
  EXPECT_EQ(inline_latex(page), "$c\\in[0,1[$");
}

Word line_word(const std::string& text, int x0, int x1, bool formula = false) {
  Word word;
  word.text = text;
  word.box = {x0, 0, x1, 30};
  word.font = "DavidCLM-Medium";
  word.font_size_pt = 8;
  word.formula = formula;
  word.space_after = false;
  return word;
}

TEST(PageSeed99Formulas, AFormulaKeepsItsPlaceAndBlanksAmongWordsFromRightToLeft) {
  const std::vector<Word> words = {line_word("לכל", 0, 50), line_word("$\\{0\\}$", 53, 90, true),
                                   line_word("של", 90, 120)};
  const std::vector<int> line = {0, 1, 2};
  EXPECT_EQ(line_text(words, line), "של$\\{0\\}$ לכל");
}

TEST(PageSeed99Formulas, FormulasTellNoDirection) {
  const std::vector<Word> words = {line_word("$a=b$", 0, 50, true), line_word("לכל", 60, 90),
                                   line_word("$W$", 96, 120, true)};
  const std::vector<int> line = {0, 1, 2};
  EXPECT_TRUE(is_read_from_right(words, line));
}

TEST(PageSeed99Formulas, AWordFromRightToLeftIsPartedAtTheFormulaInIt) {
  GlyphPage page;
  put_hebrew(page.line(100, 50), 3);
  const int begin = int(page.x()) + 3;
  page.put("םולש", "DavidCLM-Medium", 0, 3).sign("−", 0).variable("k", 0);
  const int end = int(page.x()) + 1;
  put_hebrew(page, 3);
  Word word = line_word("k−שלום", begin, end);
  word.box.y0 = 92, word.box.y1 = 103;
  const GlyphLines lines(page.glyphs());
  const auto merged =
      words_with_formulas({word}, page.glyphs(), read_inline_formulas(lines, read_formulas(lines)));
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[0].text, "−שלום");
  EXPECT_EQ(merged[1].text, "$k$");
}

TEST(PageSeed99Formulas, ABoxHigherThanItsLettersHoldsNoneOfTheLineAbove) {
  GlyphPage page;
  put_hebrew(page.line(100, 50), 3);
  const double x = page.x() + 3;
  page.variable("a").sign("=").variable("b");
  put_hebrew(put_hebrew(page, 3).line(110.5, 50), 8);
  Word formula = line_word("a=b", int(x), int(x) + 20),
       below = line_word("שלום", int(x), int(x) + 20);
  formula.box.y0 = 91, formula.box.y1 = 105;
  below.box.y0 = 99, below.box.y1 = 115;
  const GlyphLines lines(page.glyphs());
  const auto merged = words_with_formulas({formula, below}, page.glyphs(),
                                          read_inline_formulas(lines, read_formulas(lines)));
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[0].text, "$a=b$");
}

/// The displayed formulas of a page, each in a line of its own.
std::string displayed_latex(const GlyphPage& page) {
  std::string all;
  for (const PageFormula& formula : read_formulas(GlyphLines(page.glyphs())))
    all += formula.latex + "\n";
  return all;
}

TEST(PageSeed99Formulas, TheSidesOfAFractionMayBeSentences) {
  GlyphPage page;
  page.prose(40, 50).line(100, 50).math("P").sub("s").roman("=");
  const double x = page.x() + 3;
  page.at(x)
      .put("#", "CMR10", 6.8)
      .put("從狀態所採取行為的次數", "gbsnu6b", 6.8)
      .bar(x, page.x(), 2.5);
  page.at(x + 8).put("從狀態所採取行為", "gbsnu6b", -6.9);
  page.prose(150, 50);
  EXPECT_EQ(displayed_latex(page),
            "P_{s}=\\frac{\\#\\text{從狀態所採取行為的次數}}{\\text{從狀態所採取行為}}\n");
}

TEST(PageSeed99Formulas, ASentenceFromRightToLeftInAFractionIsReadInItsOrder) {
  GlyphPage page;
  page.prose(40, 50).line(100, 50).math("P").roman("=");
  const double x = page.x() + 3;
  page.at(x).put("םולש", "DavidCLM-Medium", 6.8).put("a", "CMMI10", 6.8, 3);
  page.put("תרפסמ", "DavidCLM-Medium", 6.8, 3).put("תוצובק", "DavidCLM-Medium", 6.8, 3);
  const double end = page.x();
  page.bar(x, end, 2.5).at(x + 10).put("תוצובק", "DavidCLM-Medium", -6.9);
  page.prose(150, 50);
  EXPECT_EQ(displayed_latex(page), "P=\\frac{\\text{ קבוצות מספרת $a$ שלום }}{\\text{ קבוצות }}\n");
}

TEST(PageSeed99Formulas, AWordFromRightToLeftJoinsTwoFormulas) {
  GlyphPage page;
  page.prose(40, 50).line(100, 90).variable("a").sign("=").variable("b");
  page.put("ו", "DavidCLM-Medium", 0, 6).variable("c", 6).sign("=").variable("d");
  page.prose(150, 50);
  EXPECT_EQ(displayed_latex(page), "a=b\\text{ ו }c=d\n");
}

TEST(PageSeed99Formulas, SumsWithLimitsStandOverAndUnderABar) {
  GlyphPage page;
  page.prose(20, 50).line(100, 90).math("u").sign("=");
  const double x = page.x() + 4;
  page.line(82, x);
  put_sum(page);
  page.math("x");
  const double end = page.x();
  page.line(100).bar(x, end, 2.5).line(114, x);
  put_sum(page);
  page.math("y").prose(180, 50);
  EXPECT_EQ(displayed_latex(page), "u=\\frac{\\sum_{i=1}^{m}x}{\\sum_{i=1}^{m}y}\n");
}

TEST(PageSeed99Formulas, ABraceUnderAFractionHasAWordForItsLabel) {
  GlyphPage page;
  page.prose(40, 50).line(100, 90).math("A").sign("=");
  const double x = page.x() + 10;
  page.at(x + 3).put("a", "CMMI10", 6.8).bar(x, x + 26, 2.5).at(x + 3).math("b", -6.9);
  page.at(x - 3).large(0x7C, -11).large(0x7B, -11).large(0x7A, -11).large(0x7D, -11);
  page.at(x - 5).put("Symmetric", "CMR7", -21, 0, 7).prose(160, 50);
  EXPECT_EQ(displayed_latex(page), "A=\\underbrace{\\frac{a}{b}}_{\\mathrm{Symmetric}}\n");
}

TEST(PageSeed99Formulas, AFormulaBeforeTheMarkOfAListAtItsRightIsAnItem) {
  GlyphPage page;
  put_hebrew(page.line(100, 50), 8).line(118, 120);
  page.variable("a").sign("=").variable("b").sign("+").variable("c");
  page.put("•", "CMSY5", 0, 4, 5);
  put_hebrew(page.line(136, 50), 8);
  EXPECT_EQ(displayed_latex(page), "");
  EXPECT_EQ(inline_latex(page), "$a=b+c$");
  const std::vector<Word> words = {line_word("$a=b$", 0, 50, true), line_word("•", 60, 66)};
  const std::vector<int> line = {0, 1};
  EXPECT_EQ(line_text(words, line), "• $a=b$");
}

TEST(PageSeed99Formulas, AColonBeforeAWordFromRightToLeftIsOfTheSentence) {
  GlyphPage page;
  put_hebrew(page.line(100, 50), 4);
  page.variable("x").roman(":", 3);
  put_hebrew(page, 4);
  EXPECT_EQ(inline_latex(page), "$x$");
}

TEST(PageSeed99Formulas, BracketsAndMarksOfWordsFromRightToLeftStayAtThem) {
  const std::vector<Word> words = {line_word("عامل", 0, 47), line_word("مُ", 50, 60),
                                   line_word("{0}", 70, 90), line_word("لكل", 100, 130)};
  const std::vector<int> line = {0, 1, 2, 3};
  EXPECT_EQ(line_text(words, line), "لكل {0} مُعامل");
}

TEST(PageSeed99Formulas, AGlyphOfTheTextWithoutALetterIsPartOfAWord) {
  GlyphPage page;
  page.line(100, 50).text({"ma", "tr?n", "v?i"});
  page.variable("A").sign("=").variable("B").sign("=").variable("C").text({"c?t", "m?t"});
  PageGlyphs glyphs = page.glyphs();
  for (PageGlyph& glyph : glyphs.glyphs)
    if (glyph.letter == '?') glyph.letter = 0;
  EXPECT_EQ(GlyphLines(glyphs).prose().size(), 1u);
}

TEST(PageSeed99Formulas, AHighHatIsOfItsLineNotOfTheOneAbove) {
  GlyphPage page;
  page.prose(89, 50).line(100, 50).text({"Then", "let"}).at(page.x() + 3);
  const double x = page.x();
  page.large(0x62, 8.8).at(x + 1).math("f");
  page.text({"be", "their", "sample", "mean"});
  EXPECT_EQ(inline_latex(page), "$\\hat{f}$");
}

TEST(PageSeed99Formulas, ABlankIsSeenBeforeAFormula) {
  std::vector<Word> words = {line_word("variables", 0, 90), line_word("$X$", 96, 116, true),
                             line_word("non-", 140, 180), line_word("$Y$", 181, 190, true)};
  const std::vector<int> line = {0, 1, 2, 3};
  words[1].space_after = true;
  EXPECT_EQ(line_text(words, line), "variables $X$ non-$Y$");
}

}  // namespace
}  // namespace docspec
