// What was misread in ruled tables of formulas (seed 99): rows torn out as displays, sums and
// integrals as letters, lines of a cell.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/input/letters/tex_fonts.h"
#include "core/input/letters/tex_letters.h"
#include "core/markup/formats/markdown_inline.h"
#include "drafts/formula/formula_words.h"
#include "drafts/formula/glyph_formulas.h"
#include "drafts/grid/formulas/cell_formulas.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/page_doubts.h"
#include "drafts/table/rows/open_rows.h"
#include "tests/support/glyph_page.h"

namespace docspec {
namespace {

constexpr double kLeft = 100, kMiddle = 220, kRight = 340;

/// A table of two columns and two rows, whose cells are written row by row.
class FormulaTable : public GlyphPage {
 public:
  FormulaTable& rule(double y) {
    line(y);
    bar(kLeft, kRight, 0);
    return *this;
  }
  /// Lines between the columns, drawn in a piece for each line of text.
  FormulaTable& sides(double top, double bottom) {
    for (const double x : {kLeft, kMiddle, kRight})
      for (double y = top; y < bottom; y += 10) upright(x, y, std::min(y + 10, bottom));
    return *this;
  }

  std::vector<PageFormula> displays() const {
    const GlyphLines lines(glyphs());
    std::vector<Box> boxes;
    for (const RuledTable& table : find_glyph_tables(lines)) boxes.push_back(table.box);
    return read_formulas(lines, boxes);
  }
  /// Their LaTeX, each between dollars.
  std::string latex() const {
    const GlyphLines lines(glyphs());
    std::string all;
    for (const InlineFormula& formula :
         with_cell_formulas(read_inline_formulas(lines, {}), lines, find_glyph_tables(lines)))
      all += "$" + formula.latex + "$";
    return all;
  }
};

/// Heads, and below them what `fill` writes.
template <class Fill>
FormulaTable table_of(Fill fill) {
  FormulaTable table;
  table.prose(100);
  table.rule(120).sides(120, 190);
  table.line(132, 110).text({"Case"});
  table.line(132, 230).text({"Mean"});
  table.rule(140);
  fill(table);
  table.rule(190);
  table.prose(220);
  return table;
}

TEST(PageSeed99, ARowOfARuledTableIsNoDisplayedFormula) {
  const FormulaTable table = table_of([](FormulaTable& row) {
    row.line(165, 110).math("x").roman("=", 2.8).math("y").sup("n");
    row.line(165, 230).math("f").roman("(").math("x").roman(")=").math("z");
  });
  EXPECT_TRUE(table.displays().empty());
  EXPECT_EQ(read_formulas(GlyphLines(table.glyphs())).size(), 1u) << "without the table it is one";
  EXPECT_EQ(table.latex(), "$x=y^{n}$$f(x)=z$");
}

TEST(PageSeed99, ACellHasSumsWithTheirLimitsAndFractions) {
  const FormulaTable table = table_of([](FormulaTable& row) {
    row.line(165, 115).put("n", "CMMI7", 9, 0, 7).at(114).large(0x58, 8);
    row.at(113).put("i=1", "CMMI7", -12, 0, 7).at(126).math("x").sub("i");
    row.line(158, 240).roman("1");
    row.line(165, 240).bar(238, 250, 2.5).line(172, 240).math("m");
  });
  EXPECT_EQ(table.latex(), "$\\sum_{i=1}^{n}x_{i}$$\\frac{1}{m}$");
}

TEST(PageSeed99, ATallRootOfPiecesIsOneFormula) {
  const FormulaTable table = table_of([](FormulaTable& row) {
    row.line(165, 110).at(110).large(0x76, 16).at(110).large(0x75, 10).at(110).large(0x74, 4);
    row.bar(118, 140, 16).at(119).large(0x50, 8).at(130).math("x").sub("i");
    row.line(165, 230).math("z");
  });
  EXPECT_EQ(table.latex(), "$\\sqrt{\\sum x_{i}}$$z$");
}

TEST(PageSeed99, EachLineOfACellIsAFormulaOfItsOwn) {
  const FormulaTable table = table_of([](FormulaTable& row) {
    row.line(158, 110).math("x").roman("=", 2.8).roman("1", 2.8);
    row.line(172, 110).math("y").roman("=", 2.8).roman("2", 2.8);
    row.line(158, 230).math("p").put("-norm", "CMR10").roman(",");
    row.math("L").sup("p");
  });
  EXPECT_EQ(table.latex(), "$x=1$$y=2$$p$$L^{p}$");
}

TEST(PageSeed99, NumbersAndLettersOfACellStayText) {
  const FormulaTable table = table_of([](FormulaTable& row) {
    row.line(165, 110).roman("(D)");
    row.line(165, 230).roman("0.5").put("\u00B1", "CMSY10", 0, 2).roman("0.1", 2);
  });
  EXPECT_EQ(table.latex(), "");
}

TEST(PageSeed99, ANumberInBracketsInACellIsNoNumberOfAnEquation) {
  const FormulaTable table = table_of([](FormulaTable& row) {
    row.line(165, 110).math("x").sub("j").roman("(", 9).math("j").roman("=0,1)");
    row.line(165, 230).math("z");
  });
  EXPECT_EQ(table.latex().find("tag"), std::string::npos) << table.latex();
}

TEST(PageSeed99, FramesAroundFormulasBelowEachOtherAreNoTable) {
  FormulaTable page;
  page.prose(100);
  for (const double y : {120.0, 220.0}) {
    const double x0 = y == 120 ? 150 : 150.6;
    page.line(y).bar(x0, 300, 0);
    page.upright(x0, y, y + 30).upright(300, y, y + 30);
    page.line(y + 18, x0 + 20).math("x").roman("=", 2.8).math("y").sup("n");
    page.line(y + 30).bar(x0, 300, 0);
    page.prose(y + 50);
  }
  EXPECT_TRUE(find_glyph_tables(GlyphLines(page.glyphs())).empty());
  EXPECT_EQ(page.displays().size(), 2u);
}

TEST(PageSeed99, AGreekCapitalTakesItsHat) {
  GlyphPage page;
  page.text({"there", "follows", "always"}).at(page.x() + 4);
  const double x = page.x();
  page.put("\u0302", "CMR10", 2.5).at(x).put("\u03A3", "CMR10");
  page.text({"and", "what", "is", "known"});
  const auto read = read_inline_formulas(GlyphLines(page.glyphs()), {});
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].latex, "\\hat{\\Sigma}");
}

TEST(PageSeed99, TheIntegralsOfEsintAndTheSumsOfLatinModernAreKnown) {
  EXPECT_EQ(tex_letter("esint10", 0x2C6).letter, 0x222Bu) << "named as an accent";
  EXPECT_EQ(tex_glyph("esint10", 2)->letter, 0x222Bu);
  EXPECT_EQ(tex_glyph("esint10", 12)->letter, 0x222Eu);
  EXPECT_FALSE(tex_glyph("esint10", 0));
  EXPECT_EQ(tex_letter("LMMathExtension10-Regular", 'X').letter, 0x2211u);
  EXPECT_EQ(tex_letter("LMMathExtension10-Regular", '(').letter, 0u) << "Poppler knows it";
  EXPECT_EQ(tex_letter_of_name("periodcentered"), 0xB7u);
}

TEST(PageSeed99, AFormulaOfLettersInACellKeepsItsDollars) {
  for (const char* cell : {"$E[X]$", "in $n-p$ parts", "$np$", "$f(x,y)$"})
    EXPECT_EQ(escape_cell(cell), cell);
  EXPECT_NE(escape_cell("$HOME/bin:$PATH"), "$HOME/bin:$PATH");
}

TEST(PageSeed99, TheInkOfATallFormulaIsThatOfItsSigns) {
  GlyphPage page;
  page.line(100, 100).math("a").line(120, 100).math("b");
  InlineFormula formula;
  formula.glyphs = {0, 1};
  const std::vector<Box> ink = ink_of({formula}, page.glyphs(), std::vector<Box>{{0, 0, 400, 400}});
  ASSERT_EQ(ink.size(), 2u);
  EXPECT_LT(ink[0].y1, ink[1].y0 + 10);
  EXPECT_GT(ink[1].y1, 120);
  EXPECT_TRUE(ink_of({formula}, page.glyphs(), {}).empty()) << "of tables alone";
}

/// The lines of a grid of `rows` and four columns, 100 pixels each.
RulingLines grid_of(int rows) {
  RulingLines lines;
  for (int row = 0; row <= rows; ++row) lines.across.push_back({0, 100 * row, 402, 100 * row + 2});
  for (int x = 0; x <= 400; x += 100) lines.down.push_back({x, 0, x + 2, 100 * rows + 2});
  return lines;
}

TEST(PageSeed99, ATableOfPicturesHasLabelsAndARowOfText) {
  std::vector<Word> words;
  const auto add = [&](int row, int column) {
    words.emplace_back().box = {100 * column + 20, 100 * row + 40, 100 * column + 80,
                                100 * row + 60};
  };
  PageInput page;
  const auto count = [&] {
    page.words = words;
    return find_worded_tables(page, grid_of(3), 20).size();
  };
  for (int row = 0; row < 3; ++row) add(row, 0);
  EXPECT_EQ(count(), 0u) << "the labels of a chart fill one column";
  add(2, 1), add(2, 3);
  EXPECT_EQ(count(), 1u);
}

TEST(PageSeed99, ASumOutsideOfAFormulaIsDoubted) {
  Word sum;
  sum.text = "\u2211";
  sum.font = "LMMathExtension10-Regular";
  const auto doubted = [&](const char* text) {
    return !doubt_of_formulas({{0, "text-layer", text, 1, {sum}}}).empty();
  };
  EXPECT_TRUE(doubted("<table><tr><td>n \u2211 x i=1</td></tr></table>"));
  EXPECT_FALSE(doubted("$$\\sum x$$")) << "a display has its words, too";
  sum.formula = true;
  EXPECT_FALSE(doubted("the sum $\\sum x$"));
  sum.formula = false, sum.font = "Times-Roman";
  EXPECT_FALSE(doubted("the sign \u2211 in words"));
}

TEST(PageSeed99, ItemsOfAListThatGoOnInTheirCellAreNoRows) {
  for (const bool items : {true, false}) {
    std::vector<Word> words;
    RuledTable table{{0, 0, 600, 130}, 1, 3, {}};
    for (int column = 0; column < 3; ++column) {
      table.cells.push_back({0, column, 1, 1, {200 * column, 0, 200 * column + 200, 130}});
      for (int row = 0; row < 4; ++row) {
        const int x = 200 * column + 10, y = 5 + 30 * row;
        if (items && row % 2 == 0) {
          words.emplace_back().text = "-";
          words.back().box = {x, y, x + 8, y + 20};
        }
        words.emplace_back().text = "Errors";
        words.back().box = {x + 14, y, x + 90, y + 20};
      }
    }
    split_open_rows(table, words);
    EXPECT_EQ(table.rows, items ? 1 : 4);
  }
}

}  // namespace
}  // namespace docspec
