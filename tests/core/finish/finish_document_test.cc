// What only the whole document shows: running heads, heading levels, tables over pages.
#include "core/finish/finish_document.h"

#include <gtest/gtest.h>

#include "core/markup/formats/docspec_json.h"

namespace docspec {
namespace {

Block block(RegionKind kind, const std::string& text, PointBox box, double font_pt = 11) {
  Block out;
  out.kind = kind;
  out.text = text;
  out.box_pt = box;
  out.font_pt = font_pt;
  out.source = "text-layer";
  return out;
}

Document pages(int count) {
  Document document;
  for (int p = 1; p <= count; ++p) {
    Page page;
    page.page = p;
    page.width_pt = 600;
    page.height_pt = 800;
    page.level = PageLevel::text_layer;
    document.pages.push_back(page);
  }
  return document;
}

TEST(RunningHeads, RepeatedLinesAtTheEdgeAreHeadsAndFeet) {
  Document document = pages(4);
  for (Page& page : document.pages) {
    page.blocks.push_back(block(RegionKind::section_header, "Annual report", {50, 20, 200, 32}));
    page.blocks.push_back(
        block(RegionKind::text, "Body of page " + std::to_string(page.page), {50, 300, 500, 320}));
    page.blocks.push_back(block(RegionKind::text, "Page " + std::to_string(page.page) + " of 4",
                                {50, 770, 100, 780}));
  }
  mark_running_headers(document);
  for (const Page& page : document.pages) {
    EXPECT_EQ(page.blocks[0].kind, RegionKind::page_header);
    EXPECT_EQ(page.blocks[1].kind, RegionKind::text);
    EXPECT_EQ(page.blocks[2].kind, RegionKind::page_footer);
  }
}

TEST(RunningHeads, HalfOfThePagesTellWhereTheMarginIsWide) {
  const auto kind_with = [](int repeated) {
    Document document = pages(6);
    for (Page& page : document.pages) {
      const bool head = page.page <= repeated;
      page.blocks.push_back(
          block(RegionKind::text, head ? "Annual report" : "A sentence", {50, 100, 200, 112}));
      page.blocks.push_back(block(RegionKind::text, "Body", {50, 300, 500, 320}));
      page.blocks.push_back(block(RegionKind::text, "J10(2008)", {530, 300, 550, 500}));
    }
    mark_running_headers(document);
    EXPECT_EQ(document.pages[0].blocks[1].kind, RegionKind::text);
    EXPECT_EQ(document.pages[0].blocks[2].kind, RegionKind::page_header) << "on its side";
    return document.pages[0].blocks[0].kind;
  };
  EXPECT_EQ(kind_with(3), RegionKind::page_header);
  EXPECT_EQ(kind_with(2), RegionKind::text);
}

TEST(RunningHeads, APagesOnlyLineIsNoHead) {
  Document document = pages(4);
  for (Page& page : document.pages)
    page.blocks.push_back(
        block(RegionKind::text, "Slide " + std::to_string(page.page), {50, 20, 200, 32}));
  mark_running_headers(document);
  for (const Page& page : document.pages) EXPECT_EQ(page.blocks[0].kind, RegionKind::text);
}

TEST(RunningHeads, AHeadThatStandsOnOnePageOnlyIsText) {
  Document document = pages(4);
  document.pages[2].blocks.push_back(
      block(RegionKind::page_header, "A note at the top", {50, 20, 200, 32}));
  mark_running_headers(document);
  EXPECT_EQ(document.pages[2].blocks[0].kind, RegionKind::text);
}

TEST(HeadingLevels, OneSizeHasOneLevelOverAllPages) {
  Document document = pages(2);
  const PointBox box{50, 100, 300, 120};
  document.pages[0].blocks = {block(RegionKind::section_header, "Small first", box, 12)};
  document.pages[1].blocks = {block(RegionKind::section_header, "Large", box, 16),
                              block(RegionKind::section_header, "Small again", box, 12)};
  set_heading_levels(document, {});
  EXPECT_EQ(document.pages[0].blocks[0].level, 3);
  EXPECT_EQ(document.pages[1].blocks[0].level, 2);
  EXPECT_EQ(document.pages[1].blocks[1].level, 3);
}

TEST(HeadingLevels, NumbersAndTheOutlineComeBeforeSizes) {
  Document document = pages(1);
  const PointBox box{50, 100, 300, 120};
  document.pages[0].blocks = {block(RegionKind::section_header, "2.1 Method", box, 14),
                              block(RegionKind::section_header, "Its like", box, 14),
                              block(RegionKind::section_header, "Deep", box, 20)};
  set_heading_levels(document, {{3, "Deep"}});
  EXPECT_EQ(document.pages[0].blocks[0].level, 3);
  EXPECT_EQ(document.pages[0].blocks[1].level, 3);
  EXPECT_EQ(document.pages[0].blocks[2].level, 4);
}

TEST(HeadingLevels, ALetterAndANumberArePartOfAnAppendix) {
  Document document = pages(1);
  const PointBox box{50, 100, 300, 120};
  document.pages[0].blocks = {block(RegionKind::section_header, "A.1 Proofs", box, 14),
                              block(RegionKind::section_header, "B.2.1 Tides", box, 14)};
  set_heading_levels(document, {});
  EXPECT_EQ(document.pages[0].blocks[0].level, 3);
  EXPECT_EQ(document.pages[0].blocks[1].level, 4);
}

TEST(HeadingLevels, AnOutlineBeginsWithTheTitleWhereItHasEntriesBelowThat) {
  for (const int depth : {1, 2}) {
    Document document = pages(1);
    const PointBox box{50, 100, 300, 120};
    document.pages[0].blocks = {block(RegionKind::title, "Harbours", box, 20),
                                block(RegionKind::section_header, "Tides", box, 14),
                                block(RegionKind::section_header, "Their times", box, 12)};
    set_heading_levels(document, {{1, "Harbours"}, {depth, "Tides"}, {depth + 1, "Their times"}});
    EXPECT_EQ(document.pages[0].blocks[1].level, 2);
    EXPECT_EQ(document.pages[0].blocks[2].level, 3);
  }
}

Block table(const std::string& html, PointBox box) {
  Block out = block(RegionKind::table, "", box);
  out.html = html;
  return out;
}

Document split_table() {
  Document document = pages(3);
  const std::string head = "<tr><td>Name</td><td>Sum</td></tr>";
  document.pages[0].blocks = {
      block(RegionKind::text, "Before.", {50, 100, 500, 120}),
      table("<table>" + head + "<tr><td>a</td><td>1</td></tr></table>", {50, 500, 500, 760}),
      block(RegionKind::page_footer, "1", {300, 780, 310, 790})};
  document.pages[1].blocks = {
      block(RegionKind::page_header, "Report 2", {50, 20, 100, 30}),
      table("<table>" + head + "<tr><td>b</td><td>2</td></tr></table>", {50, 60, 500, 760})};
  document.pages[2].blocks = {
      table("<table><tr><td>c</td><td>3</td></tr></table>", {51, 60, 499, 90}),
      block(RegionKind::text, "After.", {50, 120, 500, 140})};
  return document;
}

TEST(JoinTables, OneTableOverThreePagesKeepsItsPages) {
  Document document = split_table();
  finish_document(document, {});
  ASSERT_EQ(document.pages[0].blocks.size(), 3u);
  const Block& joined = document.pages[0].blocks[1];
  EXPECT_EQ(joined.html,
            "<table><tr><td>Name</td><td>Sum</td></tr><tr><td>a</td><td>1</td></tr>"
            "<tr><td>b</td><td>2</td></tr><tr><td>c</td><td>3</td></tr></table>");
  ASSERT_EQ(joined.parts.size(), 3u);
  EXPECT_EQ(joined.parts[1].page, 2);
  EXPECT_EQ(joined.parts[1].from_row, 2);
  EXPECT_EQ(joined.parts[2].to_row, 4);
  EXPECT_EQ(document.pages[1].blocks.size(), 1u);
  EXPECT_EQ(document.pages[2].blocks.size(), 1u);
  const auto json = make_json_format();
  const Document back = json->parse(json->render(document, {}));
  EXPECT_EQ(back.pages[0].blocks[1].parts, joined.parts);
}

TEST(JoinTables, OtherColumnsOtherEdgesOrTheFlagLeaveTablesApart) {
  Document columns = split_table();
  columns.pages[1].blocks[1].html = "<table><tr><td>x</td><td>y</td><td>z</td></tr></table>";
  join_tables(columns);
  EXPECT_EQ(columns.pages[1].blocks.size(), 2u);
  Document edges = split_table();
  edges.pages[1].blocks[1].box_pt = {150, 60, 500, 760};
  join_tables(edges);
  EXPECT_EQ(edges.pages[1].blocks.size(), 2u);
  Document apart = split_table();
  finish_document(apart, {false, {}});
  EXPECT_EQ(apart.pages[1].blocks.size(), 2u);
}

TEST(LinkedNotes, AnExponentWithASignIsNoMarkOfANote) {
  const auto marks_of = [](const char* text) {
    Document document = pages(1);
    document.pages[0].blocks = {block(RegionKind::text, text, {50, 300, 500, 320}),
                                block(RegionKind::footnote, "¹ Spring term", {50, 700, 300, 712})};
    link_notes(document);
    return document.pages[0].blocks[0].marks.size();
  };
  EXPECT_EQ(marks_of("the inverse F⁻¹T of it"), 0u);
  EXPECT_EQ(marks_of("the course¹ of it"), 1u);
}

}  // namespace
}  // namespace docspec
