// Structure that a reader of the page sees in it: lists, contents, notes, initials, code.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::blocks_of;
using test::markdown_of;
using test::PdfPage;

constexpr const char* kLine = "a line of plain words that is as long as lines of a text usually";

void add_text(PdfPage& page, double y, int rows, const char* text = kLine) {
  for (int row = 0; row < rows; ++row) page.lines.push_back({72, y - 13.0 * row, text, 10});
}

TEST(PageText, ItemsAreNestedByTheirIndent) {
  PdfPage page;
  add_text(page, 740, 4);
  const char* const items[] = {"one", "two", "three", "four"};
  const double indents[] = {0, 20, 20, 0};
  for (int i = 0; i < 4; ++i) {
    page.lines.push_back({72 + indents[i], 670.0 - 18 * i, "\225", 10});  // a bullet in WinAnsi
    page.lines.push_back({84 + indents[i], 670.0 - 18 * i, items[i], 10});
  }
  EXPECT_NE(markdown_of(page).find("- one\n  - two\n  - three\n- four\n"), std::string::npos)
      << markdown_of(page);
}

TEST(PageText, LinesWithLeadersAreAListWithPageNumbers) {
  PdfPage page;
  page.lines = {{72, 700, "Harbour works . . . . . . . . . . . . . . . . 3", 10},
                {72, 686, "Depths and silt ........................... 17", 10}};
  EXPECT_EQ(markdown_of(page), "- Harbour works ... 3\n- Depths and silt ... 17\n");
}

TEST(PageText, AFootnoteAboveThePageNumberStays) {
  PdfPage page;
  add_text(page, 740, 40);
  page.lines.push_back(
      {72, 80, "38. In fact the share may be lower because the list of firms seems", 8});
  page.lines.push_back({72, 70, "to count some of them twice.", 8});
  page.lines.push_back({300, 40, "52", 10});
  const auto blocks = blocks_of(page);
  ASSERT_GE(blocks.size(), 2u);
  EXPECT_EQ(blocks[blocks.size() - 2].kind, RegionKind::footnote);
  EXPECT_EQ(blocks.back().kind, RegionKind::page_footer);
}

TEST(PageText, AnInitialBelongsToItsWord) {
  PdfPage page;
  page.lines.push_back({72, 688, "T", 30});
  page.lines.push_back(
      {92, 700, "his release has the projections that are published every second", 10});
  page.lines.push_back(
      {92, 687, "year, and is the last one that the bureau wants to print on paper", 10});
  add_text(page, 674, 10);
  EXPECT_TRUE(
      markdown_of(page).starts_with("This release has the projections that are published "
                                    "every second year, and is the last"))
      << markdown_of(page);
}

TEST(PageText, EmphasisAndCodeWithinAParagraphAreMarked) {
  PdfPage page;
  page.lines = {{72, 700, "Note:", 10, "F2"},
                {105, 700, "the script", 10},
                {154, 700, "run_all", 10, "F3"},
                {199, 700, "does it, and nothing else on this page has its name at all.", 10}};
  EXPECT_EQ(markdown_of(page),
            "**Note**: the script `run_all` does it, and nothing else on this page has "
            "its name at all.\n");
}

TEST(PageText, HeadingsAndWholeBoldParagraphsAreNotMarked) {
  PdfPage page;
  page.lines.push_back({72, 740, "A heading", 16, "F2"});
  add_text(page, 700, 6);
  EXPECT_EQ(markdown_of(page).find("*"), std::string::npos);
}

TEST(PageText, CodeAtTheEndOfALineDoesNotEndItsParagraph) {
  PdfPage page;
  add_text(page, 740, 3);
  page.lines.push_back(
      {72, 701, "the whole of the data that was made can be found in this folder", 10});
  page.lines.push_back({72, 688, "data/long/name_of_a_file.jsonl", 10, "F3"});
  page.lines.push_back(
      {72, 675, "with its seeds, in the format that the programs want it to have.", 10});
  for (const Block& block : blocks_of(page)) EXPECT_NE(block.kind, RegionKind::code) << block.text;
}

TEST(PageText, NumbersOfAListingAreNotItsText) {
  PdfPage page;
  add_text(page, 740, 3);
  const char* const code[] = {"run(fun) ->", "    print(fun)", "end."};
  for (int row = 0; row < 3; ++row) {
    page.lines.push_back({80, 680.0 - 13 * row, std::to_string(row + 1), 8});
    page.lines.push_back({100.0, 680.0 - 13 * row, code[row], 10, "F3"});
  }
  EXPECT_NE(markdown_of(page).find("```\nrun(fun) ->\n    print(fun)\nend.\n```"),
            std::string::npos)
      << markdown_of(page);
}

TEST(PageText, InitialsInAReferenceOpenNoItem) {
  PdfPage page;
  add_text(page, 740, 3);
  page.lines.push_back({72, 680, "[3] R. Delgado, P. Renevey, A. Lemkad, M. Lemay, J. Sol,", 10});
  page.lines.push_back({90, 667, "I. Korhonen, and M. Bertschi, Seamless Monitoring, 2017.", 10});
  EXPECT_NE(markdown_of(page).find("J. Sol, I. Korhonen"), std::string::npos) << markdown_of(page);
}

TEST(PageText, CaptionsHaveManyKindsOfNumbers) {
  for (const char* caption : {"Table SA3. Cases in humans", "Table A-1. Coverage of populations",
                              "TABLE II", "Figure 2.3: Depths"}) {
    PdfPage page;
    page.lines.push_back({72, 700, caption, 10, "F2"});
    add_text(page, 670, 5);
    EXPECT_EQ(blocks_of(page)[0].kind, RegionKind::caption) << caption;
  }
}

TEST(PageText, HyphensOfCompoundsStay) {
  PdfPage page;
  add_text(page, 740, 2, "the student and the teacher talk, and the teacher talks much longer");
  page.lines.push_back({72, 714, "than what was planned for the inter-", 10});
  page.lines.push_back({72, 701, "action, and that is what the student-", 10});
  page.lines.push_back({72, 688, "teacher talk is about.", 10});
  const std::string text = markdown_of(page);
  EXPECT_NE(text.find("interaction"), std::string::npos) << text;
  EXPECT_NE(text.find("student-teacher"), std::string::npos) << text;
}

}  // namespace
}  // namespace docspec
