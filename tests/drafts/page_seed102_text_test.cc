// What was misread in running text (seed 102): text around a picture, paragraphs that open in bold
// words, references whose lines are stretched.
#include <gtest/gtest.h>

#include <string>

#include "core/document/sentences.h"
#include "drafts/formula/glyph_formulas.h"
#include "drafts/formula/inline_formulas.h"
#include "tests/support/drafted_blocks.h"
#include "tests/support/glyph_page.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed102Text, ASentenceGoesOnBelowAPictureWithBracketsOrAFormula) {
  EXPECT_TRUE(sentence_goes_on("from the central well", "(QW0) and from the others"));
  EXPECT_TRUE(sentence_goes_on("the number of dots", "$n$ is small"));
  EXPECT_FALSE(sentence_goes_on("the parts of a lease", "(iii) and a term")) << "an item";
  EXPECT_FALSE(sentence_goes_on("the number of dots", "(QW0) Another sentence"));
}

/// A line of two fonts at the left of a column, as wide as its words.
void add_opening(PdfPage& page, double y, const std::string& bold, const std::string& rest) {
  page.lines.push_back({72, y, bold, 10, "F5"});
  const double x = 72 + test::text_width(bold + " ", "F5", 10);
  page.lines.push_back({x, y, rest, 10, "F4"});
}

TEST(PageSeed102Text, ABoldLineOpensAParagraphWhereOthersOpenInBold) {
  PdfPage page;
  page.lines.push_back(
      {72, 740, "There is a growing literature on the design of auctions", 10, "F4"});
  add_opening(page, 700, "Demange, Gabrielle and Gale, David.", "The Structure of");
  page.lines.push_back({72, 688, "Markets. Econometrica, July 1985.", 10, "F4"});
  add_opening(page, 673, "Edelman, Ben and Schwartz, M.", "Internet and other");
  page.lines.push_back({72, 661, "Advertising. American Economic Review, 2007.", 10, "F4"});
  page.lines.push_back({72, 646, "Lahaie, Pennock, Saberi, Amin and Vohra, Rakesh V.", 10, "F5"});
  page.lines.push_back({72, 634, "Sponsored Search Auctions, in Noam Nisan, Algorithm", 10, "F4"});
  page.lines.push_back({72, 622, "Game Theory. Cambridge University Press.", 10, "F4"});
  expect_has(markdown_of(page), "Rakesh V**. Sponsored Search");
}

TEST(PageSeed102Text, AReferenceGoesOnWithAnInitialBehindAFullStop) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.lines.push_back(
      {72, 640, "[18] Lopez L. A. Journal of Cosmology and other fields, 2009.", 9});
  page.lines.push_back({72, 629, "[19] Seljak U. and Zaldarriaga M. and others, in Astrophys.", 9});
  page.lines.push_back({90, 618, "J. 469, 437 to 444, and in the proceedings, 1996.", 9});
  page.lines.push_back({72, 607, "[20] Spergel D. N. and others, in a journal of that year.", 9});
  expect_has(markdown_of(page), "Astrophys. J. 469, 437");
}

TEST(PageSeed102Text, NotesThatAreTypedAddressesStayApart) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  for (int note = 2; note < 5; ++note) {
    const double y = 140 - 11.0 * note;
    page.lines.push_back({72, y + 3, std::to_string(note), 5, "F4"});
    page.lines.push_back({77, y, "https://example.org/" + std::to_string(note), 8, "F3"});
  }
  const std::string text = markdown_of(page);
  for (const char* end : {"org/2", "org/3"}) expect_lacks(text, std::string(end) + " ");
  expect_has(text, "org/3");
}

TEST(PageSeed102Text, ATypedLetterWithALoweredIndexIsAVariable) {
  GlyphPage page;
  page.prose(40, 50).line(100, 50).text({"Notice", "that", "the", "keys"});
  page.put("y", "CMTT9", 0, 3).put("Q", "CMTT8", -1.5, 0, 6);
  page.text({"of", "the", "query", "and", "the", "word"}).put("list", "CMTT9", 0, 3);
  page.text({"stand", "for", "it"});
  const GlyphLines lines(page.glyphs());
  const auto formulas = read_inline_formulas(lines, read_formulas(lines));
  ASSERT_EQ(formulas.size(), 1u);
  EXPECT_EQ(formulas[0].latex, "\\mathrm{y}_{\\mathrm{Q}}");
}

}  // namespace
}  // namespace docspec
