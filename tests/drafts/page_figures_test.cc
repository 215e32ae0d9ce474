// Figures that a caption names: what is drawn and written there is one picture, and the text
// around it stays.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::blocks_of;
using test::expect_has;
using test::expect_lacks;
using test::kProse;
using test::markdown_of;
using test::PdfPage;

std::string slanted(double x0, double y0, double x1, double y1) {
  return "0.8 w " + std::to_string(x0) + " " + std::to_string(y0) + " m " + std::to_string(x1) +
         " " + std::to_string(y1) + " l S\n";
}

/// Four rows of three labels, with lines from each to those below it.
void add_graph(PdfPage& page, double x, double y) {
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 3; ++column) {
      const double own = x + 60 * column, base = y - 50 * row;
      page.lines.push_back({own, base, "node" + std::to_string(3 * row + column), 9});
      if (row == 3) continue;
      for (const int next : {0, 1, 2})
        page.drawing += slanted(own + 12, base - 6, x + 60 * next + 12, base - 36);
    }
}

PdfPage page_with_graph(bool caption_above) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  add_graph(page, 120, 640);
  page.lines.push_back({72, caption_above ? 670.0 : 430.0, "Figure 1: What leads to what.", 10});
  if (!caption_above) page.lines.push_back({170, 455, "Some nodes", 9});
  add_prose(page, 72, 400, 4);
  return page;
}

TEST(PageFigures, LabelsInRowsAreThePicturesOwn) {
  for (const bool above : {false, true}) {
    const std::string text = markdown_of(page_with_graph(above));
    expect_lacks(text, "node");
    expect_has(text, "Figure 1: What leads to what.");
    EXPECT_EQ(blocks_of(page_with_graph(above)).size(), 4u);
  }
}

/// A ruled table of five rows, the highest above 640 points.
void add_plain_table(PdfPage& page) {
  for (int row = 0; row < 5; ++row) {
    const double y = 640 - 20.0 * row;
    for (const double x : {100.0, 200.0, 300.0})
      page.lines.push_back({x + 5, y + 6, "cell" + std::to_string(row), 9});
    page.drawing += test::rule(100, 400, y);
  }
  page.drawing += test::rule(100, 400, 660);
  for (const double x : {100.0, 200.0, 300.0, 400.0})
    page.drawing += test::rectangle("f", x, 560, 0.6, 100);
}

TEST(PageFigures, ATableAboveAFigureStaysOne) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  add_plain_table(page);
  add_graph(page, 120, 540);
  page.lines.push_back({72, 350, "Figure 1: What leads to what.", 10});
  add_prose(page, 72, 320, 4);
  const std::string text = markdown_of(page);
  expect_has(text, "| cell3 | cell3 | cell3 |");
  expect_lacks(text, "node");
}

TEST(PageFigures, ATableThatIsCalledAFigureStaysOne) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  add_plain_table(page);
  page.lines.push_back({72, 530, "Figure 1: What leads to what.", 10});
  add_prose(page, 72, 500, 4);
  expect_has(markdown_of(page), "| cell3 | cell3 | cell3 |");
}

TEST(PageFigures, AFigureBesideAColumnOfTextLeavesTheText) {
  PdfPage page;
  const std::string narrow = "words that fill a column of this page";
  add_prose(page, 72, 740, 24, narrow);
  add_graph(page, 330, 700);
  page.lines.push_back({330, 510, "Figure 1 What leads to what in this", 9});
  page.lines.push_back({330, 499, "small world of names", 9});
  add_prose(page, 330, 470, 6, narrow);
  // A row that spans both columns.
  add_prose(page, 72, 380, 4, kProse + " and " + kProse);
  const std::string text = markdown_of(page);
  expect_lacks(text, "node");
  size_t count = 0;
  for (size_t at = text.find(narrow); at != text.npos; at = text.find(narrow, at + 1)) ++count;
  EXPECT_EQ(count, 30u) << text;
}

TEST(PageFigures, SmallProseInItsBoxesIsALabel) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  for (int box = 0; box < 3; ++box) {
    const double y = 620 - 60.0 * box;
    page.drawing += test::frame(150, y, 200, 36);
    page.lines.push_back({155, y + 22, "one box of a few words that goes on", 8});
    page.lines.push_back({155, y + 12, "and on to its end", 8});
    if (box < 2) page.drawing += slanted(250, y, 270, y - 24);
  }
  for (int i = 0; i < 30; ++i) page.drawing += slanted(360 + 2 * i, 500, 370 + 2 * i, 640);
  page.lines.push_back({72, 470, "Figure 1: What leads to what.", 10});
  add_prose(page, 72, 440, 4);
  expect_lacks(markdown_of(page), "one box");
}

TEST(PageFigures, ARowOfALegendIsALabelAndTheSourceIsNone) {
  PdfPage page;
  page.lines.push_back({72, 760, "Above the figure", 14, "F2"});
  page.lines.push_back({72, 735, "Figure 1: What leads to what.", 10});
  add_graph(page, 120, 700);
  page.drawing += test::rectangle("f", 100, 517, 12, 4) + test::rectangle("f", 262, 517, 12, 4);
  page.lines.push_back({120, 515, "Sum of what was said (in words)", 9});
  page.lines.push_back({280, 515, "Number of those who said it", 9});
  page.lines.push_back({100, 500, "Source: those who were asked", 9});
  add_prose(page, 72, 430, 12);
  const std::string text = markdown_of(page);
  expect_lacks(text, "node");
  expect_lacks(text, "Number of those");
  expect_has(text, "Source: those who were asked");
  expect_has(text, "Above the figure");
}

TEST(PageFigures, TextRightAboveAFigureAtThePagesTopIsNoHeader) {
  PdfPage page;
  page.lines.push_back({200, 760, "Letters on many subjects, 1911", 9, "F2"});
  page.lines.push_back({72, 725, "goes on to the end of all that it says about them there:", 10});
  add_graph(page, 120, 700);
  page.lines.push_back({72, 510, "Figure 1: What leads to what.", 10});
  add_prose(page, 72, 470, 12);
  expect_has(markdown_of(page), "goes on to the end");
}

}  // namespace
}  // namespace docspec
