// Formulas within lines of prose, from glyphs as TeX places them.
#include "drafts/formula/inline_formulas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/input/wide/wide_font.h"
#include "drafts/formula/formula_words.h"
#include "drafts/formula/glyph_formulas.h"
#include "tests/support/glyph_page.h"

namespace docspec {
namespace {

constexpr double kWordSpace = 3, kAround = 2.8;  // points

class ProsePage : public GlyphPage {
 public:
  ProsePage& open() { return text({"there", "follows", "always"}), *this; }

  std::vector<InlineFormula> read() const {
    const GlyphLines lines(glyphs());
    return read_inline_formulas(lines, read_formulas(lines));
  }
  /// Their LaTeX, each between dollars.
  std::string latex() const {
    std::string all;
    for (const InlineFormula& formula : read()) all += "$" + formula.latex + "$";
    return all;
  }
};

TEST(InlineFormulas, VariablesTakeTheirSignsNumbersAndIndices) {
  ProsePage page;
  page.open().variable("x").sub("i").sign("∈").variable("R", kAround).sup("n");
  page.text({"and"}).variable("y").roman("=", kAround).roman("2", kAround).math("z");
  EXPECT_EQ(page.open().latex(), "$x_{i}\\in R^{n}$$y=2z$");
}

TEST(InlineFormulas, AnAccentBehindALongSumStaysInTheFormula) {
  ProsePage page;
  page.open().variable("g").roman("=", kAround).large(0x50, 8);
  page.put("k=−∞,abcdefghklmnopqrs", "CMMI7", -4.6, 0, 7);
  const double x = page.x();
  page.at(x + 5).put("\u0302", "CMR10", 3.3).at(x + 3).math("f").sub("k");
  page.text({"then", "what", "are", "the", "coefficients", "of", "both", "functions", "here"});
  const std::string latex = page.latex();
  EXPECT_NE(latex.find("\\hat{f}_{k}$"), std::string::npos) << latex;
  EXPECT_EQ(std::count(latex.begin(), latex.end(), '$'), 2) << latex;
}

TEST(InlineFormulas, ABoxAloneAndTheRowOfPointsBeforeANumberAreNone) {
  ProsePage page;
  page.open().put("□", "MSAM10", 0, kWordSpace);
  page.open().variable("x");
  for (int i = 0; i < 8; ++i) page.put(".", "CMMI10", 0, 0.4);
  EXPECT_EQ(page.open().latex(), "$x$");
}

TEST(InlineFormulas, WordsAndTheirPunctuationStayText) {
  ProsePage page;
  page.open().variable("x").roman(",").variable("y").roman(".").text({"So", "a"}).variable("z");
  EXPECT_EQ(page.open().latex(), "$x$$y$$z$");
}

TEST(InlineFormulas, ADotOfTheFormulaEndsTheSentence) {
  ProsePage page;
  page.open().variable("x").math(",").text({"which", "is", "known"});
  EXPECT_EQ(page.latex(), "$x$");
}

TEST(InlineFormulas, BracketsBelongToTheirFunctionAndToTuples) {
  ProsePage page;
  page.open().variable("f").roman("(").math("x").roman(")");
  page.text({"of"}).roman("(", kWordSpace).math("a,b").roman(")");
  page.text({"so"}).roman("(", kWordSpace).math("n").roman("=", kAround).roman("3", kAround);
  page.roman(")");
  EXPECT_EQ(page.open().latex(), "$f(x)$$(a,b)$$n=3$");
}

TEST(InlineFormulas, WordHasFormulasOfOneFont) {
  const std::string math = "Cambria Math";
  ProsePage page;
  page.open().put("V", math, 0, 3).put("high", math, -1.5, 0, 7).text({"and"});
  page.put("2", upright_name(math), 0, 3).put("n", math, 3.6, 0, 7);
  page.text({"units"}).put("μm", "CMTI10", 0, 3).text({"and", "(i)"});
  EXPECT_EQ(page.open().latex(), "$V_{high}$$2^{n}$");
}

TEST(InlineFormulas, SmallCapitalsAreNoIndices) {
  ProsePage page;
  page.open().at(page.x() + kWordSpace).put("T", "Times-Bold");
  page.put("EXT", "Times-Bold", 0, 0, 8).text({"is", "read"});
  EXPECT_EQ(page.latex(), "");
}

TEST(InlineFormulas, ACircleAroundALetterIsACopyright) {
  ProsePage page;
  page.open().at(page.x() + kWordSpace);
  const double x = page.x();
  page.put("◯", "CMSY10").at(x + 2).put("c", "Times-Roman", 0, 0, 7).at(x + 10);
  page.text({"of", "them"});
  EXPECT_EQ(page.latex(), "");
}

TEST(InlineFormulas, AMapHasItsColon) {
  ProsePage page;
  page.open().variable("f").roman(":", kAround).variable("A", kAround).sign("→");
  page.variable("B", kAround);
  EXPECT_EQ(page.open().latex(), "$f:A\\to B$");
  ProsePage other;
  other.open().variable("f").roman(":").variable("g").text({"maps"});
  EXPECT_EQ(other.open().latex(), "$f$$g$") << "a colon of the sentence";
}

TEST(InlineFormulas, FractionsAndOverlinesHaveTheirBars) {
  ProsePage page;
  page.open().at(page.x() + kWordSpace).put("a", "CMR7", 3.9, 0, 7);
  const double x = page.x();
  page.bar(x - 4, x + 1, 2.3).at(x - 3.5).put("b", "CMR7", -3.4, 0, 7).at(x + 2);
  page.text({"of", "these"});
  page.at(page.x() + kWordSpace).bar(page.x(), page.x() + 5, 6).math("s").text({"again"});
  EXPECT_EQ(page.latex(), "$\\frac{\\mathrm{a}}{\\mathrm{b}}$$\\bar{s}$");
}

TEST(InlineFormulas, ListsGoOnOverTheirDots) {
  ProsePage page;
  page.open().variable("x").sub("1").roman(",").roman(".", 1.7).roman(".", 1.7).roman(".", 1.7);
  page.roman(",", 1.7).variable("x", 1.7).sub("n");
  EXPECT_EQ(page.open().latex(), "$x_{1},\\ldots,x_{n}$");
}

TEST(InlineFormulas, PlainTextShowsNumbersAndUnits) {
  ProsePage page;
  page.open().sign("−", kWordSpace).roman("21").text({"degrees"}).roman("cm", kWordSpace);
  page.put("−", "CMSY7", 3.6, 0, 7).put("1", "CMR7", 3.6, 0, 7);
  page.text({"word"}).put("∗", "CMSY7", 3.6, 0, 7);
  EXPECT_EQ(page.open().latex(), "");
}

TEST(InlineFormulas, ALineEndsBehindAnOperator) {
  ProsePage page;
  page.prose(100).variable("x").sign("≥");
  page.line(112, 53).roman("2").math("y").text({"is", "shown", "below", "again"});
  EXPECT_EQ(page.latex(), "$x\\geq2y$");
  ProsePage other;
  other.prose(100).variable("x");
  other.line(112, 53).math("y").text({"is", "shown", "below", "again"});
  EXPECT_EQ(other.latex(), "$x$$y$");
}

TEST(InlineFormulas, LinesOfSignsAtTheMarginAreOfTheParagraph) {
  ProsePage page;
  page.prose(100).line(112, 53).math("x").sign("≥").variable("y", kAround).text({"so"});
  page.variable("a").sign("≤").variable("b", kAround);
  page.prose(124);
  EXPECT_EQ(page.latex(), "$x\\geq y$$a\\leq b$");
}

TEST(InlineFormulas, DisplayedOnesAreLeftOut) {
  ProsePage page;
  page.prose(100).line(125, 150).math("x=y+z");
  page.prose(150);
  EXPECT_EQ(page.latex(), "");
}

/// An arrow that TeX makes of strokes and a head, over a word and `raise` points above its line.
void put_under_arrow(ProsePage& page, const char* word, double raise) {
  const double x = page.x() + kWordSpace;
  page.at(x).put("−", "CMSY10", raise).at(x + 4).put("−", "CMSY10", raise);
  page.at(x + 8).put("−", "CMSY10", raise).at(x + 11).put("→", "CMSY10", raise);
  page.at(x).roman(word);
}

TEST(InlineFormulas, AnArrowOverAWordStandsInTheLineWithIt) {
  ProsePage page;
  put_under_arrow(page, "man", 4.3);  // at the beginning of a line
  page.open();
  put_under_arrow(page, "old", 6.9);
  EXPECT_EQ(page.open().latex(),
            "$\\overrightarrow{\\mathrm{man}}$$\\overrightarrow{\\mathrm{old}}$");
}

TEST(InlineFormulas, ABinomialInAnIndexHasTheBracketsOfTheText) {
  ProsePage page;
  page.open().variable("g").sub("n,").put("(", "CMR10", -4);
  const double x = page.x();
  page.put("n", "CMMI5", 0, 0, 5).at(x).put("2", "CMR5", -7, 0, 5).put(")", "CMR10", -4);
  page.put("−", "CMSY7", -3.2, 0, 7).put("k", "CMMI7", -3.2, 0, 7);
  EXPECT_EQ(page.open().latex(), "$g_{n,\\binom{n}{2}-k}$");
}

TEST(InlineFormulas, ALongRuleOverALetterIsNoBarOfIt) {
  ProsePage page;
  page.open();
  const double x = page.x() + kWordSpace;
  page.bar(x - 0.2, x + 5.2, 8).variable("n").text({"and"});
  const double next = page.x() + kWordSpace;
  page.bar(next - 6, next + 11, 8).variable("k");
  EXPECT_EQ(page.open().latex(), "$\\bar{n}$$k$");
}

/// The words between blanks of the page's only line, as Poppler gives them.
Word layer_word(const std::string& text, double x0, double x1) {
  Word out{text, {int(x0), 92, int(x1), 103}};
  out.font_size_pt = 10;
  out.font = "CMR10";
  return out;
}

TEST(FormulaWords, OneWordStandsForTheWordsOfAFormula) {
  ProsePage page;
  page.open().roman("x-", kWordSpace);
  const double x = page.x();
  page.math("f").sub("ab").roman(",").text({"and", "others", "too"});
  std::vector<Word> words = {layer_word("always", 0, 0), layer_word("x-f", x - 10, x + 5),
                             layer_word("ab", x + 5, x + 12), layer_word(",", x + 12, x + 17),
                             layer_word("and", x + 20, x + 35)};
  words[2].box.y0 += 4;
  words[2].font_size_pt = 7;
  words[1].space_after = words[2].space_after = false;
  const auto merged = words_with_formulas(words, page.glyphs(), page.read());
  ASSERT_EQ(merged.size(), 5u);
  EXPECT_EQ(merged[1].text, "x-");
  EXPECT_FALSE(merged[1].space_after);
  EXPECT_EQ(merged[2].text, "$f_{ab}$");
  EXPECT_TRUE(merged[2].formula);
  EXPECT_FALSE(merged[2].space_after);
  EXPECT_EQ(merged[2].box.y0, 92) << "it stands on its line";
  EXPECT_EQ(merged[3].text, ",");
  EXPECT_FALSE(merged[3].formula);
}

TEST(FormulaWords, AFormulaWhoseWordsShowOtherLettersStaysAsItWas) {
  ProsePage page;
  page.open();
  const double x = page.x() + kWordSpace;
  page.roman("non-", kWordSpace).math("x").text({"and", "others", "too"});
  const std::vector<Word> words = {layer_word("nun-x", x, x + 25)};
  const auto merged = words_with_formulas(words, page.glyphs(), page.read());
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].text, "nun-x");
}

}  // namespace
}  // namespace docspec
