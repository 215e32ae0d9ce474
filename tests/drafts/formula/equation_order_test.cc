// Formulas of Word's equation editors, which draw their signs font by font.
#include "drafts/formula/equations/equation_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/text/unicode.h"
#include "drafts/formula/equations/equation_pictures.h"
#include "drafts/formula/glyph_formulas.h"
#include "drafts/formula/inline_formulas.h"
#include "drafts/latex/formula_latex.h"
#include "tests/support/glyph_page.h"

namespace docspec {
namespace {

constexpr const char *kItalic = "TimesNewRomanPS-ItalicMT", *kRoman = "TimesNewRomanPSMT",
                     *kSymbol = "SymbolMT";

class Equation : public GlyphPage {
 public:
  Equation& at(double x) { return GlyphPage::at(x), *this; }
  Equation& line(double base, double x = 100) { return GlyphPage::line(base, x), *this; }
  Equation& italic(const char* letters, double raise = 0, double size = 10) {
    return put(letters, kItalic, raise, 0.5, size), *this;
  }
  Equation& roman(const char* letters, double raise = 0, double size = 10) {
    return put(letters, kRoman, raise, 0.5, size), *this;
  }
  Equation& symbol(const char* letters, double raise = 0, double size = 10) {
    return put(letters, kSymbol, raise, 0.5, size), *this;
  }

  /// The LaTeX of its glyphs and bars in whatever order they are.
  static std::string latex(const PageGlyphs& page) {
    const WrittenFormula written = in_writing_order(page.glyphs, page.rules);
    return formula_latex(page.fonts, written.glyphs, written.rules).value_or("?");
  }
  std::string latex() const { return latex(glyphs()); }
};

/// "lim_{x→1} (ln x)/(1+x^2) = √(y)" and "f(x) = { a, x ≤ 0; b_i, x > 0".
Equation limit() {
  Equation page;
  page.line(100).roman("lim");
  const double end = page.x();
  page.at(101).italic("x", -7, 6).symbol("→", -7, 6).roman("1", -7, 6);
  page.at(end + 2).roman("ln", 7);
  page.put("x", kItalic, 7, 2);
  page.at(end + 2).roman("1", -7).symbol("+", -7).italic("x", -7).roman("2", -3.5, 6);
  page.bar(end + 1, page.x() + 1, 2.5);
  page.at(page.x() + 4).symbol("=").symbol("√").italic("y");
  page.bar(page.x() - 5, page.x(), 7);
  return page;
}

Equation cases() {
  Equation page;
  page.line(100).italic("f").roman("(").italic("x").roman(")").symbol("=");
  const double x = page.x();
  page.at(x + 2).symbol("⎧", 12).at(x + 2).symbol("⎨", 0).at(x + 2).symbol("⎩", -12);
  page.at(x + 10).italic("a", 8).roman(",", 8).italic("x", 8).symbol("≤", 8).roman("0", 8);
  page.at(x + 10).italic("b", -8).italic("i", -10, 6).roman(",", -8).italic("x", -8);
  page.symbol(">", -8).roman("0", -8);
  return page;
}

TEST(EquationOrder, PartsAreWrittenAsTexWritesThem) {
  EXPECT_EQ(limit().latex(), "\\lim_{x\\to1}\\frac{\\ln x}{1+x^{2}}=\\sqrt{y}");
  EXPECT_EQ(cases().latex(), "f(x)=\\begin{cases} a,x\\leq0 \\\\ b_{i},x>0 \\end{cases}");
}

TEST(EquationOrder, TheOrderOfDrawingDoesNotMatter) {
  std::mt19937 random(5);
  for (const Equation& page : {limit(), cases()})
    for (int round = 0; round < 60; ++round) {
      PageGlyphs drawn = page.glyphs();
      std::shuffle(drawn.glyphs.begin(), drawn.glyphs.end(), random);
      std::shuffle(drawn.rules.begin(), drawn.rules.end(), random);
      EXPECT_EQ(Equation::latex(drawn), page.latex());
    }
}

TEST(EquationOrder, KeepsEveryGlyphAndBarOnce) {
  PageGlyphs page = limit().glyphs();
  page.rules.push_back({300, 10, 340, 11, 99});  // of no sign
  const WrittenFormula written = in_writing_order(page.glyphs, page.rules);
  EXPECT_EQ(written.glyphs.size(), page.glyphs.size());
  EXPECT_EQ(written.rules.size(), page.rules.size());
  std::vector<int> orders;
  for (const PageGlyph& glyph : written.glyphs) orders.push_back(glyph.order);
  for (const PageRule& rule : written.rules) orders.push_back(rule.order);
  std::sort(orders.begin(), orders.end());
  for (size_t i = 0; i < orders.size(); ++i) EXPECT_EQ(orders[i], int(i));
  EXPECT_TRUE(in_writing_order({}, {}).glyphs.empty());
}

TEST(EquationOrder, ABracketOfALargerFontIsTallAndALargeSignStaysOnItsLine) {
  Equation page;
  page.line(100).symbol("∫", -3, 15).symbol("(", 0, 15).italic("x").symbol("+").italic("y");
  page.symbol(")", 0, 15);
  EXPECT_EQ(page.latex(), "\\int\\left(x+y\\right)");
}

TEST(EquationOrder, ALimitSetAsLargeAsASumStaysOnItsLine) {
  Equation page;
  page.line(100).italic("a").symbol("=").roman("lim", -4, 16);
  const double end = page.x();
  page.at(end - 17.75).italic("n", -11, 6).symbol("→", -11, 6).symbol("∞", -11, 6);
  page.at(end + 1).italic("p").italic("n", 4, 6).roman("+").italic("q");
  EXPECT_EQ(page.latex(), "a=\\lim_{n\\to\\infty}p^{n}+q");
}

TEST(EquationOrder, AWideBracketOpensWithItsRightHalf) {
  Equation page;
  page.line(100).italic("p").put("（", "SimSun", 0, 0, 10);
  page.at(page.x() - 4.5)
      .italic("i", -3, 4)
      .at(page.x() + 2.5)
      .roman("0")
      .put("）", "SimSun", 0, 0, 10);
  EXPECT_EQ(page.latex(), "p_{i}(0)");
}

TEST(EquationOrder, ArrowsHighOverTheirLettersAreNoRow) {
  Equation page;
  page.line(100).italic("W").symbol("=");
  const double first = page.x();
  page.italic("F").symbol("⋅").italic("d");
  const double second = page.x();
  page.italic("l");
  page.at(first + 0.5).put("\u20D7", "MT-Extra", 8).at(second + 0.5).put("\u20D7", "MT-Extra", 8);
  EXPECT_EQ(page.latex(), "W=\\vec{F}\\cdot d\\vec{l}");
}

TEST(EquationOrder, ATildeOfAKeyboardIsARelation) {
  Equation page;
  page.line(100).italic("A").roman("~").italic("f").roman("(").italic("x").roman(")");
  EXPECT_EQ(page.latex(), "A\\sim f(x)");
}

TEST(EquationOrder, ChineseWordsOfAFormulaAreText) {
  Equation page;
  page.line(100).italic("x").symbol("=").roman("0").roman("，");
  page.put("其他", "SimSun", 0, 1);
  EXPECT_EQ(page.latex(), "x=0,\\text{其他}");
}

/// A line of text with two formulas, of which the editor drew the first from its end, and a line of
/// text below.
PageGlyphs page_of_text() {
  Equation page;
  page.line(100, 50).text({"there", "follows", "always"});
  const double x = page.x() + 3;
  page.at(x + 24).roman("2").at(x + 12).symbol("=").at(x + 5).italic("i", -2, 6).at(x).italic("x");
  page.at(x + 36).text({"and", "nothing", "else"});
  page.line(120, 50).text({"below", "stands", "another", "line"});
  PageGlyphs out = page.glyphs();
  out.equations = true;
  return out;
}

TEST(EquationPictures, AFormulaWithinTextIsFoundWhereAnEditorDrewIt) {
  PageGlyphs page = page_of_text();
  ASSERT_TRUE(order_equations(page));
  ASSERT_EQ(page.pictures.size(), 1u);
  const GlyphLines lines(page);
  const auto formulas = read_inline_formulas(lines, read_formulas(lines));
  ASSERT_EQ(formulas.size(), 1u);
  EXPECT_EQ(formulas[0].latex, "x_{i}=2");
  std::string text;
  for (const PageGlyph& glyph : page.glyphs) append_utf8(text, glyph.letter);
  EXPECT_EQ(text, "therefollowsalwaysxi=2andnothingelsebelowstandsanotherline");
}

TEST(EquationPictures, ATypedFormulaIsNoPictureAndTheTextStaysAsItWas) {
  Equation page;
  page.line(100, 50).text({"there", "follows"});
  page.italic("x").symbol("=").roman("2");
  PageGlyphs typed = page.glyphs();
  typed.equations = true;
  EXPECT_FALSE(order_equations(typed));
  typed.equations = false;
  EXPECT_FALSE(order_equations(typed)) << "TeX writes in order";
}

TEST(EquationPictures, APageOfThousandsOfPartsIsLeftAsItIs) {
  Equation page;
  for (int i = 0; i < 9000; ++i) page.line(100 + 3 * (i % 200), 700 - i % 500).italic("x");
  PageGlyphs drawn = page.glyphs();
  drawn.equations = true;
  drawn.pictures.push_back({0, 9000});
  EXPECT_TRUE(order_equations(drawn)) << "one picture is one part";
  drawn.pictures.clear();
  for (int i = 0; i < 9000; ++i) drawn.pictures.push_back({i, i + 1});
  EXPECT_FALSE(order_equations(drawn));
  EXPECT_EQ(drawn.glyphs.size(), 9000u);
}

TEST(EquationPictures, AFormulaAloneInItsLineIsDisplayed) {
  Equation page;
  page.line(100, 50).text({"there", "follows"});
  page.line(130, 150).at(162).roman("2").at(156).symbol("=").at(150).italic("x");
  page.line(160, 50).text({"and", "nothing", "else"});
  PageGlyphs drawn = page.glyphs();
  drawn.equations = true;
  ASSERT_TRUE(order_equations(drawn));
  const GlyphLines lines(drawn);
  const auto displayed = read_formulas(lines);
  ASSERT_EQ(displayed.size(), 1u);
  EXPECT_EQ(displayed[0].latex, "x=2");
  EXPECT_TRUE(read_inline_formulas(lines, displayed).empty());
}

}  // namespace
}  // namespace docspec
