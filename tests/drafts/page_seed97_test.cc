// What was misread on lectures and reports with code (seed 97): lines of listings whose own letters
// do not show that they are code.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::markdown_of;
using test::PdfPage;

/// Lines of code at 14 points from each other, from `y` down; "" is an empty line.
void add_code(PdfPage& page, double x, double y, const std::vector<std::string>& lines) {
  for (size_t i = 0; i < lines.size(); ++i)
    if (!lines[i].empty()) page.lines.push_back({x, y - 14.0 * double(i), lines[i], 10, "F3"});
}

TEST(PageSeed97, RowsOfAFramedListingAreCodeWhateverTheyAreSetIn) {
  PdfPage page;
  page.drawing = test::frame(60, 480, 480, 150);
  add_prose(page, 72, 740, 6);
  add_code(page, 80, 610,
           {"sub eax, 18", "mov esi, 40", "", "call scanf", "cmp eax, 1", "jg next",
            "call explode_bomb"});
  page.lines.push_back({430, 596, "# a text", 10, "F4"});
  page.lines.push_back({70, 582, "for gdb", 10, "F4"});
  const std::string text = markdown_of(page);
  expect_has(text, "mov esi, 40  ");
  expect_has(text, "# a text\nfor gdb\n  call scanf");
}

TEST(PageSeed97, ALineFurtherInBetweenTwoLinesOfCodeIsOne) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  add_code(page, 72, 610,
           {"define polar to be", "  a list of angles;", "", "    return of list;",
            "  end of define;", "end of all;"});
  page.lines.push_back({130, 582, "... compute angles ...", 10, "F4"});
  expect_has(markdown_of(page), "compute angles ...\n    return of list;\n  end of define;");
}

TEST(PageSeed97, AListingGoesOnLeftOfWhatStandsAbove) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  add_code(page, 72, 610, {"      case one;", "      case two;", "", "}", "", "", "void main();"});
  expect_has(markdown_of(page), "      case two;\n\n}\n\n\nvoid main();");
}

}  // namespace
}  // namespace docspec
