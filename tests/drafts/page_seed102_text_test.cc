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

}  // namespace
}  // namespace docspec
