// What was misread on papers, lecture notes and reports (seed 100): the order around rules.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::markdown_of;
using test::PdfPage;
using test::rule;

TEST(PageSeed100, ColumnsEndAtARuleInTheMiddleOfThePage) {
  const std::string line = "a line of a column is that long, and no more ";
  PdfPage page;
  add_prose(page, 60, 740, 10, line + "one");
  add_prose(page, 320, 740, 10, line + "two");
  add_prose(page, 60, 580, 10, line + "three");
  add_prose(page, 320, 580, 10, line + "four");
  page.drawing = rule(226, 366, 602);
  const std::string text = markdown_of(page);
  EXPECT_LT(text.find("one"), text.find("two")) << text;
  EXPECT_LT(text.find("two"), text.find("three")) << text;
  page.drawing.clear();
  const std::string without = markdown_of(page);
  EXPECT_LT(without.find("three"), without.find("two")) << without;
}

}  // namespace
}  // namespace docspec
