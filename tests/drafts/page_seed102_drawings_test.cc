// What was misread of drawings (seed 102): drawings in frames that look like ruled tables.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

std::string stroke(double x0, double y0, double x1, double y1) {
  return std::to_string(x0) + " " + std::to_string(y0) + " m " + std::to_string(x1) + " " +
         std::to_string(y1) + " l S\n";
}

/// A frame with two walls across and down it, a title in running text, and a word in two of five
/// cells.
PdfPage page_with_frame(bool drawn) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  const double x = 72, y = 400, width = 300, height = 180;
  page.drawing += test::frame(x, y, width, height);
  for (const double row : {30.0, 60.0, 90.0, 120.0, 150.0})
    page.drawing += test::rule(x, x + width, y + row);
  for (const double column : {75.0, 150.0, 225.0})
    page.drawing += test::rectangle("f", x + column, y, 0.6, 150);
  page.lines.push_back({x + 5, y + 167, "Entities are spread across some scopes by their key", 9});
  for (int i = 0; i < 8; ++i)
    page.lines.push_back(
        {x + 75 * (i % 4) + 8, y + 40 + 60 * (i / 4), "key" + std::to_string(i), 9});
  for (int i = 0; drawn && i < 12; ++i)
    page.drawing += stroke(x + 10 + 20 * i, y + 5, x + 50 + 20 * i, y + 145);
  add_prose(page, 72, 370, 6);
  return page;
}

TEST(PageSeed102Drawings, ADrawingInAFrameIsNoTable) {
  const std::string text = markdown_of(page_with_frame(true));
  expect_lacks(text, "<t");
  expect_lacks(text, "|");
  expect_lacks(text, "key1");
  expect_has(text, "Entities are spread across some scopes by their key");
  expect_has(markdown_of(page_with_frame(false)), "key1");
}

}  // namespace
}  // namespace docspec
