// What was misread on data sheets, slides with programs and homework (seed 94): groups of rows
// between rules, listings beside text, items at the head of a page.
#include <gtest/gtest.h>

#include "drafts/lines/bullets.h"
#include "drafts/lines/line_text.h"
#include "drafts/table/open_cells.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

Word word_at(const std::string& text, int x, int y) {
  Word word;
  word.text = text;
  word.box = {x, y, x + 10 * int(text.size()), y + 20};
  word.font_size_pt = 10;
  return word;
}

/// A table of four columns and one row below its heads, which holds `rows`.
RuledTable data_sheet(const std::vector<std::vector<std::string>>& rows, std::vector<Word>& words) {
  const int height = 30 * int(rows.size());
  RuledTable table{{0, 0, 800, 40 + height}, 2, 4, {}};
  const char* const heads[] = {"Parameter", "Min", "Max", "Unit"};
  for (int c = 0; c < 4; ++c) {
    table.cells.push_back({0, c, 1, 1, {200 * c, 0, 200 * c + 200, 40}});
    words.push_back(word_at(heads[c], 200 * c + 10, 10));
  }
  for (int c = 0; c < 4; ++c)
    table.cells.push_back({1, c, 1, 1, {200 * c, 40, 200 * c + 200, 40 + height}});
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < rows[r].size(); ++c)
      if (!rows[r][c].empty())
        words.push_back(word_at(rows[r][c], 200 * int(c) + 10, 45 + 30 * int(r)));
  return table;
}

TEST(PageSeed94, LabelsAndFiguresBetweenRulesAreRows) {
  std::vector<Word> words;
  RuledTable table = data_sheet({{"ACCURACY", "", "", ""},
                                 {"Resolution", "12", "", "bits"},
                                 {"Drift", "\u00b14", "\u20135", "mA"},
                                 {"Gain", "", "\u00b16", "mW"},
                                 {"Offset", "", "", ""}},
                                words);
  cut_open_cells(table, words, 20);
  EXPECT_EQ(table.rows, 6);
  std::vector<Word> other;
  RuledTable prose = data_sheet(
      {{"The", "a", "b", "no"}, {"first", "word", "of", "unit"}, {"label", "", "", ""}}, other);
  cut_open_cells(prose, other, 20);
  EXPECT_EQ(prose.rows, 2) << "no figures";
}

TEST(PageSeed94, AHeadOverThreeColumnsThatNoRulePartsStandsOverAll) {
  std::vector<Word> words = {word_at("Part", 10, 10), word_at("TypeA", 310, 10)};
  for (const int x : {210, 320, 430}) words.push_back(word_at("Min", x, 40));
  for (int row = 0; row < 8; ++row) {
    words.push_back(word_at("row", 10, 90 + 30 * row));
    for (int c = 0; c < 3; ++c)
      if ((row + c) % 2 == 0) words.push_back(word_at("12", 210 + 110 * c, 90 + 30 * row));
  }
  RuledTable table{{0, 0, 500, 330}, 2, 2, {}};
  table.cells = {{0, 0, 1, 1, {0, 0, 200, 80}},
                 {0, 1, 1, 1, {200, 0, 500, 80}},
                 {1, 0, 1, 1, {0, 80, 200, 330}},
                 {1, 1, 1, 1, {200, 80, 500, 330}}};
  cut_open_cells(table, words, 20);
  EXPECT_EQ(table.columns, 4);
  const auto head = std::find_if(table.cells.begin(), table.cells.end(), [](const GridCell& cell) {
    return cell.row == 0 && cell.column == 1;
  });
  ASSERT_NE(head, table.cells.end());
  EXPECT_EQ(head->column_span, 3);
  EXPECT_EQ(head->row_span, 1);
}

TEST(PageSeed94, AListingBesideTextIsNoTable) {
  PdfPage page;
  const char* const text[] = {"Sometimes the packages of", "a site are not compiled,",
                              "so they have to be built", "from the sources of it,"};
  for (int row = 0; row < 12; ++row) {
    page.lines.push_back({60, 700 - 14.0 * row, text[row % 4], 10});
    page.lines.push_back(
        {300, 700 - 11.0 * row, "install(tide = " + std::to_string(row) + ")", 8, "F3"});
  }
  const std::string markdown = markdown_of(page);
  expect_lacks(markdown, "|");
  expect_has(markdown, "install(tide = 3)\ninstall(tide = 4)\n");
}

TEST(PageSeed94, CallsAndWhatTheyDoAreATable) {
  PdfPage page;
  add_prose(page, 72, 740, 5);
  for (int row = 0; row < 5; ++row) {
    const std::string number = std::to_string(row);
    page.lines.push_back({80, 640 - 13.0 * row, "rise(harbour, " + number + ")", 10, "F3"});
    page.lines.push_back({260, 640 - 13.0 * row, "the tide of that day", 10});
  }
  expect_has(markdown_of(page), "| rise(harbour, 1) | the tide of that day |");
}

TEST(PageSeed94, NumbersOfATableBesideAListingAreNoLineNumbers) {
  PdfPage page;
  const int codes[] = {71, 72, 73, 81, 82, 83, 91, 92, 93, 94};
  for (int row = 0; row < 10; ++row) {
    page.lines.push_back({80, 700 - 12.0 * row, std::string(1, char('a' + row)), 10});
    page.lines.push_back({140, 700 - 12.0 * row, std::to_string(97 + row), 10});
    page.lines.push_back({200, 700 - 12.0 * row, std::to_string(codes[row]), 10});
  }
  for (int row = 6; row < 10; ++row)
    page.lines.push_back({340, 700 - 12.0 * row, "encode(" + std::to_string(row) + ");", 9, "F3"});
  expect_has(markdown_of(page), "93");
}

TEST(PageSeed94, AnItemAloneAtTheHeadOfAPageIsText) {
  PdfPage page;
  page.lines.push_back({72, 760, "1. (Exercise 51)", 10});
  page.lines.push_back({92, 738, "(1)", 10});
  add_prose(page, 72, 560, 12);
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "Exercise 51");
  expect_has(markdown, "(1)");
}

TEST(PageSeed94, BulletsThatAreJoinedToTheirTextArePutApart) {
  std::vector<Word> words = {word_at("•", 0, 0), word_at("one", 30, 0), word_at("•All", 0, 40)};
  part_bullets(words);
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[2].text, "•");
  EXPECT_EQ(words[3].text, "All");
}

TEST(PageSeed94, ChineseBehindAnItalicLetterIsNotItalic) {
  std::vector<Word> words = {word_at("W\u4e3a\u672c", 0, 0)};
  words[0].font = "Times-Italic";
  const int line[] = {0};
  const MarkedText marked = marked_line(words, line);
  for (const TextMark& mark : marked.marks) EXPECT_LE(mark.to, 1u);
}

}  // namespace
}  // namespace docspec
