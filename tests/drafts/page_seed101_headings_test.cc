// Headings of one kind that were told from each other on reports and lecture notes (seed 101).
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed101Headings, AHeadingBelowTheTitleIsOneAsThoseInItsLettersFurtherDownAre) {
  for (const bool others : {true, false}) {
    PdfPage page;
    page.lines.push_back({72, 740, "Notes to the Accounts", 22, "F4"});
    page.lines.push_back({72, 690, "NOTE 13 - OTHER LIABILITIES", 14, "F4"});
    add_prose(page, 72, 665, 8);
    page.lines.push_back(
        {72, 520, others ? "NOTE 14 - ROYALTIES" : test::kProse, others ? 14. : 10., "F4"});
    add_prose(page, 72, 495, 20);
    const std::string markdown = markdown_of(page);
    (others ? expect_has : expect_lacks)(markdown, "# NOTE 13");
  }
}

TEST(PageSeed101Headings, TheBoldOpeningOfAParagraphIsNoneOfALargerHeadingAboveIt) {
  PdfPage page;
  add_prose(page, 72, 740, 10);
  page.lines.push_back(
      {72, 590, "3.4 Additional Optimizations of Tilings and Their Parts", 11, "F5"});
  page.lines.push_back({72, 577, "Duplication of arrays.", 10, "F5"});
  page.lines.push_back({185, 577, "As the example in the figure shows, some of", 10, "F4"});
  add_prose(page, 72, 564, 20);
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "# 3.4 Additional Optimizations of Tilings and Their Parts\n");
  expect_has(markdown, "**Duplication of arrays**. As");
}

}  // namespace
}  // namespace docspec
