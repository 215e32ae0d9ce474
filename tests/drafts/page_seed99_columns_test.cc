// What was misread on sheets of boxes and columns side by side (seed 99): read across, line by
// line, instead of one after the other.
#include <gtest/gtest.h>

#include "drafts/lines/gutter.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::expect_has;
using test::frame;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed99Columns, ALineThatReachesIntoTheGutterEndsThere) {
  const Gutter gutter{100, 200};
  EXPECT_TRUE(gutter.parts({0, 0, 165, 20}, {200, 0, 300, 20}));
  EXPECT_FALSE(gutter.parts({0, 0, 195, 20}, {203, 0, 300, 20})) << "a heading across";
}

/// Entries of a list of contents in two columns, at two levels, with their pages at the right.
TEST(PageSeed99Columns, AListOfContentsInTwoColumnsIsReadDownEach) {
  PdfPage page;
  int number = 0;
  for (const double x : {60.0, 316.0})
    for (int row = 0; row < 16; ++row) {
      const double y = 700 - 14.0 * row, indent = row % 4 ? 18 : 0;
      std::string entry = "Of the ships and ropes " + std::to_string(++number);
      for (double end = x + indent + test::text_width(entry, "F1", 10); end < x + 210; end += 5.6)
        entry += " .";
      page.lines.push_back({x + indent, y, entry, 10});
      page.lines.push_back(test::line_ending(x + 240, y, std::to_string(number), "F1", 10));
    }
  const std::string markdown = markdown_of(page);
  EXPECT_LT(markdown.find("ropes 16"), markdown.find("ropes 17")) << markdown;
  expect_has(markdown, "Of the ships and ropes 18 ... 18");
  expect_has(markdown, "Of the ships and ropes 2 ... 2");
}

TEST(PageSeed99Columns, AHeadingInTheFrameOfAListingIsNoCode) {
  PdfPage page;
  page.drawing = frame(60, 400, 480, 320);
  page.lines.push_back({70, 700, "Loops", 12, "F5"});
  for (int row = 0; row < 14; ++row)
    page.lines.push_back({70, 680 - 12.0 * row, "for (int i = 0; i < 10; ++i) run(i);", 10, "F3"});
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "# Loops\n");
  EXPECT_LT(markdown.find("# Loops"), markdown.find("```"));
}

}  // namespace
}  // namespace docspec
