// What was misread on sheets of boxes and columns side by side (seed 99): read across, line by
// line, instead of one after the other.
#include <gtest/gtest.h>

#include "core/page/ink_map.h"
#include "drafts/grid/white_strips.h"
#include "drafts/lines/gutter.h"
#include "drafts/lines/reading_order.h"
#include "drafts/table/prose_columns.h"
#include "drafts/table/rows/open_rows.h"
#include "drafts/text/text_trust.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::expect_has;
using test::frame;
using test::markdown_of;
using test::PdfPage;

/// Two columns of four frames, each with a line of text on the same heights.
PdfPage framed_columns() {
  PdfPage page;
  const std::string names[] = {"left", "right"};
  for (int column = 0; column < 2; ++column)
    for (int row = 0; row < 4; ++row) {
      const double x = 60 + 260 * column, y = 680 - 40 * row;
      page.drawing += frame(x, y - 12, 240, 34);
      page.lines.push_back({x + 8, y,
                            "Hold the " + names[size_t(column)] +
                                " rope fast until it runs free, " + std::to_string(row),
                            10});
    }
  return page;
}

TEST(PageSeed99Columns, FramesSideBySideAreReadOneColumnAfterTheOther) {
  const std::string markdown = markdown_of(framed_columns());
  EXPECT_LT(markdown.find("left rope fast until it runs free, 3"),
            markdown.find("right rope fast until it runs free, 0"))
      << markdown;
}

TEST(PageSeed99Columns, ALineAcrossTheFramesIsReadBeforeOrAfterThem) {
  PdfPage page = framed_columns();
  page.lines.push_back({60, 740, "Ropes", 18, "F2"});
  page.lines.push_back(
      {60, 440, "All of these ropes were taken from the old ships that lie in the harbour", 10});
  const std::string markdown = markdown_of(page);
  EXPECT_LT(markdown.find("Ropes"), markdown.find("left rope fast"));
  EXPECT_GT(markdown.find("All of these"), markdown.find("free, 3", markdown.find("right rope")));
}

TEST(PageSeed99Columns, CodeInFramesSideBySideIsNoOneListing) {
  PdfPage page;
  for (int column = 0; column < 2; ++column) {
    const double x = 60 + 190 * column;
    page.drawing += frame(x, 636 - 8 * column, 170, 60 + 16 * column);
    for (int row = 0; row < 4; ++row)
      page.lines.push_back({x + 10, 682 - 12.0 * row,
                            (column ? "right(" : "the_left_side_of(") + std::to_string(row) + ");",
                            10, "F3"});
  }
  test::add_prose(page, 60, 600, 6);
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "the_left_side_of(2);\nthe_left_side_of(3);");
  expect_has(markdown, "right(2);\nright(3);");
}

TEST(PageSeed99Columns, WhiteBetweenFramesIsOneWallFromTopToFoot) {
  RulingLines rules;
  for (const int y : {0, 200})
    for (const int x : {0, 290, 330, 600}) rules.down.push_back({x, y, x + 2, y + 150});
  const std::vector<Word> words = {{"left", {20, 60, 80, 80}}, {"right", {350, 60, 420, 80}}};
  const auto walls = walls_of(whites_between(rules, words, 200), words, 200);
  ASSERT_EQ(walls.size(), 1u);
  EXPECT_EQ(walls[0], (Box{311, 0, 312, 350}));
  const std::vector<Word> across = {{"across", {250, 165, 400, 185}}};
  EXPECT_EQ(walls_of(whites_between(rules, words, 200), across, 200).size(), 2u);
}

std::vector<TextLine> lines_of_columns(int pitch_of_right) {
  std::vector<TextLine> lines;
  for (int row = 0; row < 8; ++row)
    for (const int x : {0, 300}) {
      TextLine line;
      const int y = row * (x > 0 ? pitch_of_right : 30);
      line.box = {x, y, x + 200, y + 20};
      lines.push_back(line);
    }
  return lines;
}

TEST(PageSeed99Columns, RowsOfATableStandLevelAndThoseOfColumnsDoNot) {
  EXPECT_FALSE(parts_columns(lines_of_columns(30), 250, 20));
  EXPECT_TRUE(parts_columns(lines_of_columns(37), 250, 20));
  const std::vector<Box> walls = {{250, 0, 251, 240}};
  EXPECT_TRUE(between_columns(walls, lines_of_columns(30), 20).empty());
  EXPECT_EQ(between_columns(walls, lines_of_columns(37), 20).size(), 1u);
  std::vector<int> all(16);
  for (int i = 0; i < 16; ++i) all[size_t(i)] = i;
  Gutters gutters;
  gutters.set_walls(walls);
  EXPECT_TRUE(lies_across(all, lines_of_columns(37), gutters, {}, 20));
  const std::vector<Box> rule = {{0, 112, 500, 114}};
  EXPECT_FALSE(lies_across(all, lines_of_columns(37), gutters, rule, 20)) << "a grid";
}

TEST(PageSeed99Columns, ALineThatReachesIntoTheGutterEndsThere) {
  const Gutter gutter{100, 200};
  EXPECT_TRUE(gutter.parts({0, 0, 165, 20}, {200, 0, 300, 20}));
  EXPECT_FALSE(gutter.parts({0, 0, 195, 20}, {203, 0, 300, 20})) << "a heading across";
}

TEST(PageSeed99Columns, ARowOfHeadingsStandsWithTheColumnsBelowIt) {
  const std::vector<Box> boxes = {{0, 0, 100, 110},   {150, 10, 400, 60},   {150, 60, 420, 105},
                                  {0, 150, 60, 170},  {200, 150, 260, 170}, {430, 150, 480, 170},
                                  {0, 180, 180, 280}, {200, 180, 400, 280}, {430, 180, 600, 280}};
  EXPECT_EQ(reading_order(boxes, 20), (std::vector<int>{0, 1, 2, 3, 6, 4, 7, 5, 8}));
}

TEST(PageSeed99Columns, HeadingsOfThreeColumnsAreNoNamesBelowATitle) {
  PdfPage page;
  page.lines.push_back({50, 740, "The long harbours of the northern coast and their piers", 20});
  for (int column = 0; column < 3; ++column)
    for (int part = 0; part < 3; ++part) {
      const double x = 50 + 180 * column, y = 690 - 70 * part;
      const std::string name = std::string("Pier ") + char('A' + 3 * column + part);
      page.lines.push_back({x, y, name, 10, "F2"});
      for (int row = 0; row < 3; ++row)
        page.lines.push_back({x, y - 15 - 13.0 * row, "plain words of a text that goes", 10});
    }
  const std::string markdown = markdown_of(page);
  for (const char* name : {"# Pier A", "# Pier D", "# Pier G", "# Pier H"})
    expect_has(markdown, name);
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

TEST(PageSeed99Columns, TablesSideBySideWhoseRowsAreNotLevelAreTwo) {
  PdfPage page;
  for (int row = 0; row < 9; ++row) {
    page.lines.push_back({60, 700 - 17.0 * row, "ash" + std::to_string(row), 10});
    page.lines.push_back({110, 700 - 17.0 * row, std::to_string(11 * (row + 1)), 10});
    page.lines.push_back({180, 700 - 21.0 * row, "oak" + std::to_string(row), 10});
    page.lines.push_back({230, 700 - 21.0 * row, std::to_string(13 * (row + 1)), 10});
  }
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "| ash3 | 44 |\n");
  expect_has(markdown, "| oak3 | 52 |\n");
}

TEST(PageSeed99Columns, AHeadingBetweenBoldEntriesEndsTheirTable) {
  PdfPage page;
  for (int part = 0; part < 2; ++part) {
    const double top = 700 - 140.0 * part;
    page.lines.push_back({60, top, part ? "Boundaries" : "Classes", 15, "F2"});
    for (int row = 0; row < 6; ++row) {
      const double y = top - 20 - 17.0 * row;
      page.lines.push_back({60, y, std::string("key") + char('a' + 6 * part + row), 10, "F2"});
      page.lines.push_back({140, y, std::to_string(17 * (row + 1)), 10});
    }
  }
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "# Boundaries\n");
  expect_has(markdown, "| keyb | 34 |");
  expect_has(markdown, "| keyh | 34 |");
}

TEST(PageSeed99Columns, CodeBesideTextThatQuotesSomeIsATable) {
  PdfPage page;
  for (int row = 0; row < 8; ++row) {
    const double y = 700 - 17.0 * row;
    page.lines.push_back({60, y, std::string("/") + char('a' + row), 10, "F3"});
    page.lines.push_back({110, y, "Any sign of:", 10});
    page.lines.push_back({170, y, std::string("[") + char('a' + row) + " - z]", 10, "F3"});
  }
  test::add_prose(page, 60, 520, 8);
  expect_has(markdown_of(page), "| /c | Any sign of: [c - z] |");
}

TEST(PageSeed99Columns, WhiteThroughAllColumnsPartsTheRowsOfACell) {
  RuledTable table;
  table.box = {0, 0, 400, 300};
  table.rows = 1;
  table.columns = 2;
  table.cells = {{0, 0, 1, 1, {0, 0, 150, 300}}, {0, 1, 1, 1, {150, 0, 400, 300}}};
  const auto words_at = [](int pitch) {
    std::vector<Word> words;
    for (int part = 0; part < 3; ++part) {
      const int y = 10 + pitch * part;
      words.push_back({"reset", {10, y, 70, y + 20}});
      words.push_back({"Moves", {160, y, 230, y + 20}});
      words.push_back({"back", {160, y + 24, 230, y + 44}});
    }
    return words;
  };
  RuledTable whole = table;
  split_open_rows(table, words_at(80));
  EXPECT_EQ(table.rows, 3);
  split_open_rows(whole, words_at(50));
  EXPECT_EQ(whole.rows, 1) << "lines as far from each other as their parts";
}

TEST(PageSeed99Columns, ALayerThatLacksWholeColumnsOfTextIsNotTrusted) {
  PageImage image(1, 612, 792, 72);
  for (int y = 0; y < 792; ++y) std::fill_n(image.row(y), size_t(612) * 3, uint8_t(255));
  std::vector<Word> words;
  const auto write = [&](int x0, int x1, int y) {
    for (int x = x0; x < x1; ++x)
      for (int row = y; row < y + 9; ++row)
        if (x % 8 < 5 && (x + row) % 5 > 0)
          std::fill_n(image.row(row) + size_t(x) * 3, 3, uint8_t(0));
  };
  for (int line = 0; line < 10; ++line) {
    const int y = 60 + 16 * line;
    write(60, 260, y);
    for (const char* text : {"plain", "words", "of", "the", "layer"}) {
      const int x = 60 + 40 * int(words.size() % 5);
      words.push_back({text, {x, y, x + 36, y + 10}});
    }
  }
  const auto trusted = [&] {
    const InkMap ink(image, 1);
    return trust_text_layer(words, &ink, &image, 1, 612, 792);
  };
  EXPECT_TRUE(trusted());
  for (int column = 0; column < 2; ++column)
    for (int line = 0; line < 12; ++line)
      write(60 + 260 * column, 280 + 260 * column, 360 + 15 * line + 40 * (line / 4));
  EXPECT_FALSE(trusted());
}

}  // namespace
}  // namespace docspec
