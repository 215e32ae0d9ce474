// Display formulas from glyphs as TeX places them: fonts of 10 points, indices of 7, in points.
#include "drafts/formula/glyph_formulas.h"

#include <gtest/gtest.h>

#include <string>

#include "core/input/wide/wide_font.h"
#include "tests/support/glyph_page.h"

namespace docspec {
namespace {

class Page : public GlyphPage {
 public:
  std::vector<PageFormula> read() const { return read_formulas(GlyphLines(glyphs())); }
  /// The LaTeX of its only formula.
  std::string latex() const {
    const auto formulas = read();
    return formulas.size() == 1 ? formulas[0].latex : std::to_string(formulas.size()) + " formulas";
  }
};

TEST(GlyphFormulas, FractionsAreReadInTheOrderOfWriting) {
  Page page;
  page.math("x=");
  page.at(115).math("ab", 7).bar(115, 125, 2.5).at(117).math("c", -7).at(127).math("+d");
  EXPECT_EQ(page.latex(), "x=\\frac{ab}{c}+d");
}

TEST(GlyphFormulas, TheRuleBelowThePagesHeaderIsOfNoFormula) {
  Page page;
  page.bar(20, 500, 60).math("x=").at(115).math("a", 7).bar(115, 120, 2.5).at(115).math("b", -7);
  EXPECT_EQ(page.latex(), "x=\\frac{a}{b}");
  EXPECT_LT(page.read()[0].box.width(), 60);
}

TEST(GlyphFormulas, RootsHaveTheirBarAndIndex) {
  Page page;
  page.math("x=").put("3", "CMR7", 4, 0, 7).at(112).large(0x70, 9);
  page.bar(120, 131, 9).math("ab").at(133).math("+c");
  EXPECT_EQ(page.latex(), "x=\\sqrt[3]{ab}+c");
}

TEST(GlyphFormulas, AccentsLimitsAndIndicesFindWhatTheyAreOf) {
  Page page;
  page.put("\u0302", "CMR10").at(100).math("x").sup("m").at(105).sub("n").at(110).math("=");
  page.at(116).put("k", "CMMI7", 12, 0, 7).at(113.75).large(0x58, 10);
  page.at(112.5).put("i=0", "CMMI7", -13.5, 0, 7);
  page.at(126).math("e").sup("x").put("a", "CMMI5", 5, 0, 5);
  EXPECT_EQ(page.latex(), "\\hat{x}_{n}^{m}=\\sum_{i=0}^{k}e^{x^{a}}");
}

TEST(GlyphFormulas, ALimitUnderMaxIsOfMax) {
  const auto latex = [](double limit) {
    Page page;
    page.put("arg", "CMR10").at(120).put("max", "CMR10").at(limit).put("y", "CMMI7", -7, 0, 7);
    page.put("=", "CMR7", -7, 0, 7).put("0", "CMR7", -7, 0, 7).at(140).math("f=x");
    return page.latex();
  };
  EXPECT_EQ(latex(121.3), "\\arg\\max_{y=0}f=x");
  EXPECT_EQ(latex(112), "\\operatorname*{arg\\,max}_{y=0}f=x");
}

TEST(GlyphFormulas, ALineOfTextAboveIsLeftOut) {
  Page page;
  page.prose(100).line(112, 50).put("then", "CMR10").line(130, 150).math("f=x");
  EXPECT_EQ(page.latex(), "f=x");
}

TEST(GlyphFormulas, ALineThatOpensWithWordsAtTheMarginIsText) {
  Page page;
  page.prose(100).line(112, 50).text({"because", "of"}).math("a=b").put(",", "CMR10");
  page.text({"then"}).line(140, 150).math("f=x");
  EXPECT_EQ(page.latex(), "f=x");
  Page above;
  above.prose(100).line(130, 150).math("a=b").line(150, 50).put("and", "CMR10");
  above.line(170, 150).math("f=x");
  EXPECT_EQ(above.read().size(), 2u);
}

TEST(GlyphFormulas, ALineThatOpensWithALabelAtTheMarginIsText) {
  const auto count = [](const char* label, double x) {
    Page page;
    page.prose(100).line(120, x).put(label, "CMBX10").at(x + 40).math("a=b,c=d,e=f");
    page.line(150, 150).math("f=x");
    return page.read().size();
  };
  EXPECT_EQ(count("Q27.", 53), 1u);
  EXPECT_EQ(count("Proof.", 53), 1u);
  EXPECT_EQ(count("Q27.", 90), 2u) << "not at the margin";
}

TEST(GlyphFormulas, FormulasOfOpenTypeFontsHaveWordsOfTheText) {
  Page page;
  page.prose(100).line(130, 150).put("x", "STIXTwoMath-Regular");
  page.put("=", upright_name("STIXTwoMath-Regular"), 0, 3).put("cos", "STIXTwoText-Regular", 0, 3);
  page.put("y", "STIXTwoMath-Regular", 0, 2);
  EXPECT_EQ(page.latex(), "x=\\cos y");
}

TEST(GlyphFormulas, AFrameIsNoBar) {
  Page page;
  page.math("x=").bar(95, 160, 18).bar(95, 160, -18);
  page.at(117).math("b", 7).bar(115, 125, 2.5).at(117).math("c", -7).at(127).math("+d");
  EXPECT_EQ(page.latex(), "x=\\frac{b}{c}+d");
}

TEST(GlyphFormulas, AnIndexOfWordsIsNoLineOfText) {
  Page page;
  page.prose(100).line(130, 150).math("f=z").put("(word)", "CMR7", 3.6, 0, 7);
  page.math(";z").put("(dependency)", "CMR7", 3.6, 0, 7);
  EXPECT_EQ(page.latex(), "f=z^{(\\mathrm{word})};z^{(\\mathrm{dependency})}");
}

TEST(GlyphFormulas, RowsOfAnAlgorithmAreNone) {
  const auto page = [](bool ruled) {
    Page page;
    page.prose(80).line(110, 50).text({"Algorithm", "1", "Sums", "what", "is", "given"});
    if (ruled)
      page.line(100, 50).bar(45, 300, 0).line(115, 50).bar(45, 300, 0).line(170).bar(45, 300, 0);
    page.line(140, 90).math("s=s+x").line(155, 90).math("i=i+a");
    return page.read().size();
  };
  EXPECT_EQ(page(true), 0u);
  EXPECT_EQ(page(false), 1u);
}

TEST(GlyphFormulas, IndicesBehindEachOtherStayBehind) {
  Page page;
  page.math("T").sup("a").sub("bc").math("=0");
  EXPECT_EQ(page.latex(), "T^{a}{}_{bc}=0");
}

TEST(GlyphFormulas, AnIndexOfAnIndexIsAsLargeAsIt) {
  Page page;  // K = Q^{N_{B_n}}, in 10, 7, 5 and 5 points
  page.math("K=Q").put("N", "CMMI7", 3.6, 0, 7).put("B", "CMMI5", 2.6, 0, 5);
  page.put("n", "CMMI5", 1.8, 0, 5);
  EXPECT_EQ(page.latex(), "K=Q^{N_{B_{n}}}");
  Page other;  // the denominator n_+ of a fraction in an index
  other.math("K=e").put("a", "CMMI5", 6, 0, 5).bar(115, 125, 5).at(115);
  other.put("n", "CMMI5", 1, 0, 5).put("+", "CMR5", 0.3, 0, 5).at(126).put("Z", "CMMI7", 3.6, 0, 7);
  EXPECT_EQ(other.latex(), "K=e^{\\frac{a}{n_{+}}Z}");
}

TEST(GlyphFormulas, BracketsMayBeLargerThanWhatTheyHold) {
  Page page;
  page.math("R=").at(116).put("|", "CMSY10", 7).put("k", "CMMI7", 7.5, 0, 7);
  page.put("3", "CMR5", 6.5, 0, 5).put("|", "CMSY10", 7).bar(115, 131, 2.5);
  page.at(119).put("m", "CMMI7", -5, 0, 7);
  EXPECT_EQ(page.latex(), "R=\\frac{|k_{3}|}{m}");
}

TEST(GlyphFormulas, AllOfALimitIsOne) {
  Page page;  // an index at the side of an integral
  page.math("x=").large(0x5A, 10).put("u<v", "CMMI7", -14, -3, 7).math("f");
  EXPECT_EQ(page.latex(), "x=\\int_{u<v}f");
}

TEST(GlyphFormulas, AnIndexUnderARaisedFractionIsNotOfIt) {
  Page page;
  page.math("W=y").put("1", "CMR5", 7, 0, 5).bar(115, 119, 5.5).at(115).put("3", "CMR5", 1, 0, 5);
  page.at(115).put("n", "CMMI7", -2.5, 0, 7);
  EXPECT_EQ(page.latex(), "W=y_{n}^{\\frac{1}{3}}");
}

TEST(GlyphFormulas, TheBarOfPlancksConstantIsNotRaised) {
  Page page;
  page.math("E=").at(110).put("\u0304", "CMR10").at(110).math("h");
  EXPECT_EQ(page.latex(), "E=\\hbar");
  Page other;
  other.math("E=").at(110).put("\u0304", "CMR10", 2.6).at(110).math("h");
  EXPECT_EQ(other.latex(), "E=\\bar{h}");
}

TEST(GlyphFormulas, ANumberTellsAFormulaWithoutARelation) {
  Page page;
  page.math("SL").roman("(2,").math("C").roman(")").math("/E").sub("2").at(300).roman("(2)");
  EXPECT_EQ(page.latex(), "SL(2,C)/E_{2} \\tag{2}");
}

TEST(GlyphFormulas, ABarOverANumeratorIsNotThatOfItsFraction) {
  Page page;
  page.math("y=").at(115).bar(115, 120, 13.5).math("u", 7).bar(115, 120, 2.5).at(115);
  page.math("3", -7);
  EXPECT_EQ(page.latex(), "y=\\frac{\\bar{u}}{3}");
}

TEST(GlyphFormulas, WhatStandsOverALetterIsNoIndexOfTheOneBefore) {
  Page page;
  page.math("b=a").at(115.75).put("z", "CMR7", 6.3, 0, 7).at(115).math("x");
  EXPECT_EQ(page.latex(), "b=a\\overset{\\mathrm{z}}{x}");
}

TEST(GlyphFormulas, WordsMayBeIndices) {
  Page page;
  page.prose(80).prose(92).line(120).math("L").put("(1)", "CMR7", 4, 0, 7).at(105);
  page.put("spinor", "CMR7", -2.5, 0, 7).at(130).math("=-x").prose(150).prose(162);
  EXPECT_EQ(page.latex(), "L_{\\mathrm{spinor}}^{(1)}=-x");
  Page other;
  other.line(120).put("\u03A8", "CMR10").put("matter", "CMR7", -1.5, 0, 7).roman("=", 3);
  other.put("\u03A8", "CMR10", 0, 3).put("matter", "CMR7", -1.5, 0, 7);
  EXPECT_EQ(other.latex(), "\\Psi_{\\mathrm{matter}}=\\Psi_{\\mathrm{matter}}");
}

TEST(GlyphFormulas, ANumberMayStandHalfAnEmFromItsFormula) {
  Page page;
  page.math("ab=cd").put("(3)", "CMR10", 0, 4.95);
  EXPECT_EQ(page.latex(), "ab=cd \\tag{3}");
}

TEST(GlyphFormulas, WhatGoesOnAtTheRightOfCasesIsNotOfThem) {
  Page page;
  page.math("x=").large(0x28, 18).at(120).math("a", 6).at(140).math("b", 6);
  page.at(120).math("c", -6).at(140).math("d", -6).at(152).math("y=z");
  EXPECT_EQ(page.latex(), "x=\\begin{cases} a &  b \\\\ c &  d \\end{cases}y=z");
}

TEST(GlyphFormulas, ALargeSlashStandsOnItsLine) {
  Page page;
  page.math("w=a").at(116).large(0x0E, 8.5).at(121).math("b");
  EXPECT_EQ(page.latex(), "w=a/b");
}

TEST(GlyphFormulas, TallBracketsHoldMatricesAndGrowAroundFractions) {
  Page page;
  page.math("A=").large(0x12, 14);
  page.math("a", 6).at(140).math("b", 6).at(118).math("c", -6).at(140).math("d", -6);
  page.at(146).large(0x13, 14);
  EXPECT_EQ(page.latex(), "A=\\begin{pmatrix} a &  b \\\\ c &  d \\end{pmatrix}");
  Page other;
  other.math("A=").large(0x12, 14).at(119).math("a", 7).bar(118, 125, 2.5).at(119).math("b", -7);
  other.at(126).large(0x13, 14);
  EXPECT_EQ(other.latex(), "A=\\left(\\frac{a}{b}\\right)");
}

TEST(GlyphFormulas, AnOpenBraceHoldsCases) {
  Page page;
  page.math("f=").large(0x1A, 14);
  page.math("0", 6).at(140).put("if", "CMR10", 6, 0).put("x", "CMMI10", 6, 3);
  page.at(118).math("1", -6).at(140).put("otherwise", "CMR10", -6);
  EXPECT_EQ(page.latex(),
            "f=\\begin{cases} 0 &  \\text{ if }x \\\\ 1 &  \\text{ otherwise } \\end{cases}");
}

TEST(GlyphFormulas, NumbersAreTagsOnBothSides) {
  Page right;
  right.math("x<y").at(300).put("(A.3)", "CMR10");
  EXPECT_EQ(right.latex(), "x<y \\tag{A.3}");
  Page left;
  left.at(50).put("(4)", "CMR10").at(100).math("x<y");
  EXPECT_EQ(left.latex(), "x<y \\tag{4}");
  Page square;
  square.math("x<y").at(300).put("[17.2]", "CMR10");
  EXPECT_EQ(square.latex(), "x<y \\tag*{[17.2]}");
}

TEST(GlyphFormulas, RowsWithNumbersOfTheirOwnAreFormulasOfTheirOwn) {
  Page page;
  page.math("x=a").at(300).put("(1)", "CMR10").line(115).math("y=b").at(300).put("(2)", "CMR10");
  const auto formulas = page.read();
  ASSERT_EQ(formulas.size(), 2u);
  EXPECT_EQ(formulas[0].latex, "x=a \\tag{1}");
  EXPECT_EQ(formulas[1].latex, "y=b \\tag{2}");
}

TEST(GlyphFormulas, CasesHaveBracketsOfTheirOwn) {
  Page page;
  page.math("x=").large(0x28, 18);  // a brace of three font sizes
  const double x = page.x();
  for (const double raise : {8.0, -8.0}) {
    page.at(x).large(0x12, raise + 9).at(x + 9).math("a", raise).at(x + 15).large(0x13, raise + 9);
    page.at(x + 40).math("b", raise);
  }
  EXPECT_EQ(page.latex(),
            "x=\\begin{cases} \\left(a\\right) &  b \\\\ \\left(a\\right) &  b \\end{cases}");
}

TEST(GlyphFormulas, WordsOfTheTextAreNoneOfWords) {
  const std::string math = "Cambria Math", upright = upright_name(math);
  Page page;
  page.line(100, 60)
      .put("where", "Times")
      .put("x", math, 0, 3)
      .put("=", upright)
      .put("y", math)
      .put("and", "Times", 0, 3);
  page.put("z>x", math, 0, 3);
  EXPECT_TRUE(page.read().empty());
  Page other;
  other.line(100, 60).put("x", math).put("=", upright).put("y", math).put("for", upright, 0, 9);
  other.put("z", math, 0, 3);
  EXPECT_EQ(other.latex(), "x=y\\quad\\text{ for }z");
}

TEST(GlyphFormulas, WordBuildsBracketsFromTheirFoot) {
  const std::string math = "Cambria Math", upright = upright_name(math);
  Page page;
  page.put("A", math).put("=", upright, 0, 2);
  const auto bracket = [&](const char* piece, double x) {
    for (const double raise : {-30, -21, -12, -3, 6, 15, 24}) page.at(x).put(piece, math, raise);
  };
  bracket("⎢", 115);
  for (const double raise : {24, 8, -8, -24})
    for (const double x : {122, 142, 162}) page.at(x).put("1", upright, raise);
  bracket("⎥", 170);
  EXPECT_EQ(page.latex(),
            "A=\\begin{bmatrix} 1 &  1 &  1 \\\\ 1 &  1 &  1 \\\\ 1 &  1 &  1 \\\\ 1 "
            "&  1 &  1 \\end{bmatrix}");
}

TEST(GlyphFormulas, BracketsOfEquationsBelowEachOtherAreOfEach) {
  Page page;
  for (const double base : {100, 125}) {
    page.line(base).math("A").roman("=", 2);
    page.at(115).put("⎡", "CMEX10", 5).at(115).put("⎣", "CMEX10", -4);
    page.at(121).math("a", 6).at(121).math("c", -6);
    page.at(130).put("⎤", "CMEX10", 5).at(130).put("⎦", "CMEX10", -4);
  }
  EXPECT_EQ(
      page.latex(),
      "\\begin{aligned} A & =\\begin{bmatrix} a \\\\ c \\end{bmatrix} \\\\ A & =\\begin{bmatrix} a "
      "\\\\ c \\end{bmatrix} \\end{aligned}");
}

TEST(GlyphFormulas, ColonsBeforeARelationAreOfIt) {
  Page page;
  page.line(100).math("a").roman("::=b");
  page.line(114).math("c").roman("::=d");
  EXPECT_EQ(page.latex(),
            "\\begin{aligned} a & ::=\\mathrm{b} \\\\ c & ::=\\mathrm{d} \\end{aligned}");
}

TEST(GlyphFormulas, WhatIsWithinProseIsNone) {
  Page page;
  page.prose(100).math("x=y").sup("n").put("proves", "CMR10", 0, 3).put("that", "CMR10", 0, 3);
  page.line(112, 50).math("n=3.");  // the last line of the paragraph
  EXPECT_TRUE(page.read().empty());
  page.line(140, 150).math("n=3.").prose(165);
  EXPECT_EQ(page.latex(), "n=3.");
}

TEST(GlyphFormulas, TheLastLineOfAParagraphWithWideLeadingIsNone) {
  const auto formulas = [](double x, bool colon) {
    Page page;
    page.prose(84.5).prose(100);
    if (colon) page.put(":", "CMR10");
    page.line(115.5, x).math("n=3.");
    return page.read().size();
  };
  EXPECT_EQ(formulas(50, false), 0u);
  EXPECT_EQ(formulas(140, false), 1u) << "in the middle";
  EXPECT_EQ(formulas(50, true), 1u) << "a colon tells of it";
}

TEST(GlyphFormulas, ANumberWithARelationIsACellOfATable) {
  Page page;
  page.math("<").roman("0.001");
  EXPECT_TRUE(page.read().empty());
}

TEST(GlyphFormulas, WordsAndFunctionsAreUpright) {
  Page page;
  page.put("sin", "CMR10").math("x=").put("cos", "CMR10").math("y").put("for", "CMR10", 0, 9);
  page.put("all", "CMR10", 0, 3).math("x");
  EXPECT_EQ(page.latex(), "\\sin x=\\cos y\\quad\\text{ for all }x");
}

TEST(GlyphFormulas, LongArrowsAndNegationsAreOneSign) {
  Page page;
  page.math("x").put("\u0338", "CMSY10", 0).at(105).put("=", "CMR10").math("y");
  EXPECT_EQ(page.latex(), "x\\neq y");
  Page arrow;
  arrow.math("x").put("−", "CMSY10").at(108).put("→", "CMSY10").math("y");
  EXPECT_EQ(arrow.latex(), "x\\longrightarrow y");
}

TEST(TexFonts, HaveTheEncodingsOfTheirFamilies) {
  const auto letter = [](std::string_view font, unsigned code) {
    const auto glyph = tex_glyph(font, code);
    return glyph ? glyph->letter : 0u;
  };
  EXPECT_EQ(letter("CMMI10", 0x0B), 0x3B1u);  // alpha
  EXPECT_EQ(letter("CMSY7", 0x30), 0x2032u);  // prime
  EXPECT_EQ(letter("CMSY10", 'L'), 0x2112u);  // script L
  EXPECT_EQ(letter("CMEX10", 0x00), uint32_t('('));
  EXPECT_EQ(letter("LMMathExtension10-Regular", 0x58), 0x2211u);
  EXPECT_EQ(letter("MSBM10", 'Z'), 0x2124u);
  EXPECT_EQ(letter("EUFM10", 'g'), 0x1D524u);
  EXPECT_EQ(letter("StandardSymL", 0x61), 0x3B1u);
  EXPECT_EQ(letter("CMR10", 0x0C), 0xFB01u);  // fi
  EXPECT_EQ(letter("Times-Roman", 'a'), 0u);  // no font of TeX
}

}  // namespace
}  // namespace docspec
