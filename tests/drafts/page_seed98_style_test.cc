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

TEST(PageSeed98, AParagraphOfWideLinesBelowADenseOneIsOneParagraph) {
  PdfPage page;
  for (int row = 0; row < 24; ++row)
    page.lines.push_back({72, 740 - 12.0 * row, test::kProse, 10, "F4"});
  const char* kLines[] = {"Harbours lie in the north of the country, where the tides are low and",
                          "ships that come from afar may wait for days until the wind turns and",
                          "Captains of such ships know all the houses in which they can eat and",
                          "Merchants as well, who sell them what they need for the way, and who",
                          "buy what they bring."};
  for (int row = 0; row < 5; ++row)
    page.lines.push_back({72, 400 - 24.0 * row, kLines[row], 10, "F4"});
  expect_has(markdown_of(page),
             "wind turns and Captains of such ships know all the houses in "
             "which they can eat and Merchants");
}

TEST(PageSeed98, ATitleThatGoesOnInSmallLettersFarBelowIsOneHeading) {
  PdfPage page;
  page.lines.push_back(
      {72, 740, "The harbours: an account of the tides and of all that is creative", 14, "F5"});
  page.lines.push_back({200, 708, "writing.", 14, "F5"});
  for (int row = 0; row < 40; ++row)
    page.lines.push_back({72, 660 - 12.0 * row, test::kProse, 10, "F4"});
  expect_has(markdown_of(page), "creative writing.");
}

}  // namespace
}  // namespace docspec
