// What was misread on papers, listings and leaflets (seed 98): initials of names, bullets of other
// fonts, lines of listings.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

/// Lines that each open with one of the `marks`, parted by blank lines, below some prose.
PdfPage page_of_entries(const std::vector<std::string>& marks) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  double y = 600;
  for (const std::string& mark : marks)
    page.lines.push_back({72, y -= 26, mark + " Plain 1990.", 10});
  return page;
}

TEST(PageSeed98, InitialsOfReferencesAreNoItemsThoughTwoFollowEachOther) {
  expect_lacks(markdown_of(page_of_entries({"A.", "R.", "S.", "F.", "C.", "W.", "K."})), "- ");
  const std::string items = markdown_of(page_of_entries({"A.", "B.", "C.", "A.", "B.", "C."}));
  expect_has(items, "- A. Plain");
  expect_has(items, "- C. Plain");
}

TEST(PageSeed98, ANameInBracketsIsNoItem) {
  expect_lacks(markdown_of(page_of_entries({"(C.", "or"})), "- ");
}

TEST(PageSeed98, SmallOsAtAPlaceOfTheirOwnAreBullets) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  for (int row = 0; row < 3; ++row)
    page.lines.push_back({96, 620 - 26.0 * row, "o  some result of a study", 10});
  expect_has(markdown_of(page), "- some result");
  page.lines.push_back({96, 540, "text at the same place", 10});
  expect_lacks(markdown_of(page), "- some result");
}

}  // namespace
}  // namespace docspec
