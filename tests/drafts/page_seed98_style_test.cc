// What was misread of the style of papers and lectures (seed 98): labels in letters of their own,
// text set with much white between its lines, exponents that look like marks of notes.
#include <gtest/gtest.h>

#include "core/finish/finish_document.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed98, EmphasisOfALabelEndsAtTheDashAfterIt) {
  PdfPage page;
  add_prose(page, 72, 640, 30);
  const double end = 72 + test::text_width("Abstract", "F6", 10);
  page.lines.push_back({72, 700, "Abstract", 10, "F6"});
  page.lines.push_back({end, 700, "\x97Words of which each is as plain as the others", 10, "F4"});
  page.lines.push_back({72, 688, "go on in the next line of this text, and end there.", 10, "F4"});
  expect_has(markdown_of(page), "*Abstract*\u2014Words of which");
}

}  // namespace
}  // namespace docspec
