// Heads that share a cell, and rows whose rules are not seen.
#include "drafts/table/table_heads.h"

#include <gtest/gtest.h>

#include <string>

#include "drafts/table/open_cells.h"

namespace docspec {
namespace {

/// Five columns of 100 pixels, the head's cell over the last four; rows of 40 pixels.
RuledTable table_with_head(int rows) {
  RuledTable table;
  table.box = {0, 0, 500, 40 * rows};
  table.rows = rows;
  table.columns = 5;
  table.cells = {{0, 0, 1, 1, {0, 0, 100, 40}}, {0, 1, 1, 4, {100, 0, 500, 40}}};
  for (int row = 1; row < rows; ++row)
    for (int c = 0; c < 5; ++c)
      table.cells.push_back({row, c, 1, 1, {100 * c, 40 * row, 100 * c + 100, 40 * row + 40}});
  return table;
}

Word word(const std::string& text, int x, int y, int width = 40) {
  return {text, {x, y, x + width, y + 12}};
}

TEST(TableHeads, HeadsSideBySideGoIntoTheirColumns) {
  RuledTable table = table_with_head(2);
  const std::vector<Word> words = {word("a", 130, 10), word("b", 225, 10, 80), word("c", 330, 10),
                                   word("d", 430, 10)};
  part_heads(table, words, 16);
  EXPECT_EQ(table.rows, 2);
  ASSERT_EQ(table.cells.size(), 10u);
  for (size_t c = 0; c < 5; ++c) EXPECT_EQ(table.cells[c].column_span, 1);
  for (size_t i = 0; i < words.size(); ++i) {
    const Box &box = table.cells[i + 1].box, &own = words[i].box;
    EXPECT_TRUE(box.x0 <= own.x0 && own.x1 <= box.x1) << words[i].text;
  }
}

TEST(TableHeads, HeadsOnAFillThatHidesTheLinesGoIntoTheirColumns) {
  RuledTable table = table_with_head(3);
  table.cells.erase(table.cells.begin());
  table.cells[0] = {0, 0, 1, 5, {0, 0, 500, 40}};
  RuledTable title = table;
  std::vector<Word> words;
  for (int c = 0; c < 5; ++c)
    words.push_back(word(std::string(1, char('a' + c)), 100 * c + 20, 10));
  part_heads(table, words, 16);
  ASSERT_EQ(table.cells.size(), 15u);
  for (int c = 0; c < 5; ++c) EXPECT_EQ(table.cells[size_t(c)].column, c);
  part_heads(title, std::vector<Word>{word("Catch", 130, 10), word("1998", 330, 10)}, 16);
  EXPECT_EQ(title.cells[0].column_span, 5);
}

TEST(TableHeads, FarHeadsSpanHalfOfTheColumnsEach) {
  RuledTable table = table_with_head(2);
  part_heads(table, std::vector<Word>{word("Revenue", 170, 10, 60), word("Capital", 370, 10, 60)},
             16);
  ASSERT_EQ(table.cells.size(), 8u);
  EXPECT_EQ(table.cells[1].column_span, 2);
  EXPECT_EQ(table.cells[2].column, 3);
  EXPECT_EQ(table.cells[2].column_span, 2);
}

TEST(TableHeads, AHeadOverOthersGetsARowOfItsOwn) {
  RuledTable table = table_with_head(2);
  part_heads(table,
             std::vector<Word>{word("Year", 20, 14), word("Sales", 280, 4), word("a", 130, 24),
                               word("b", 230, 24), word("c", 330, 24), word("d", 430, 24)},
             16);
  EXPECT_EQ(table.rows, 3);
  ASSERT_EQ(table.cells.size(), 11u);
  EXPECT_EQ(table.cells[0].row_span, 2);
  EXPECT_EQ(table.cells[1].column_span, 4);
  for (size_t i = 2; i < 6; ++i) EXPECT_EQ(table.cells[i].row, 1);
}

TEST(TableHeads, AHeadOfSeveralWordsStaysOne) {
  RuledTable table = table_with_head(2);
  part_heads(table,
             std::vector<Word>{word("How", 170, 10), word("healthy", 214, 10), word("are", 258, 10),
                               word("you", 302, 10)},
             16);
  EXPECT_EQ(table.cells.size(), 7u);
}

TEST(TableHeads, NumbersBelowAHeadAreARowThoughItsRuleIsNotSeen) {
  RuledTable table;
  table.box = {0, 0, 300, 80};
  table.rows = 2;
  table.columns = 3;
  table.cells = {{0, 0, 1, 1, {0, 0, 100, 40}},
                 {0, 1, 2, 1, {100, 0, 200, 80}},
                 {0, 2, 2, 1, {200, 0, 300, 80}},
                 {1, 0, 1, 1, {0, 40, 100, 80}}};
  cut_open_cells(
      table,
      std::vector<Word>{word("State", 20, 10), word("Kerala", 20, 50), word("Read", 120, 10),
                        word("7.2", 130, 50), word("Write", 220, 10), word("0.5", 230, 50)},
      16);
  EXPECT_EQ(table.rows, 2);
  EXPECT_EQ(table.cells.size(), 6u);
}

/// A label and its levels share a row that a rule parts in two of its four columns.
TEST(TableHeads, RowsOfNumbersWhoseRulesAreHalfSeen) {
  RuledTable table;
  table.box = {0, 0, 400, 160};
  table.rows = 3;
  table.columns = 4;
  table.cells = {{0, 0, 1, 1, {0, 0, 100, 40}},      {0, 1, 1, 1, {100, 0, 200, 40}},
                 {0, 2, 1, 1, {200, 0, 300, 40}},    {0, 3, 1, 1, {300, 0, 400, 40}},
                 {1, 0, 2, 1, {0, 40, 100, 160}},    {1, 1, 2, 1, {100, 40, 200, 160}},
                 {1, 2, 1, 1, {200, 40, 300, 120}},  {1, 3, 1, 1, {300, 40, 400, 120}},
                 {2, 2, 1, 1, {200, 120, 300, 160}}, {2, 3, 1, 1, {300, 120, 400, 160}}};
  std::vector<Word> words = {word("Speed", 220, 10), word("Idle", 320, 10), word("Cycle", 20, 94)};
  for (int row = 0; row < 3; ++row) {
    words.push_back(word("level", 120, 54 + 40 * row));
    words.push_back(word(std::to_string(5 + row) + "%", 220, 54 + 40 * row));
    words.push_back(word(std::to_string(8 + row) + "%", 320, 54 + 40 * row));
  }
  cut_open_cells(table, words, 16);
  EXPECT_EQ(table.rows, 4);
  int levels = 0;
  for (const GridCell& cell : table.cells) {
    levels += cell.column == 1 && cell.row > 0 && cell.row_span == 1;
    EXPECT_EQ(cell.row_span, cell.column == 0 && cell.row > 0 ? 3 : 1) << "the label of all";
  }
  EXPECT_EQ(levels, 3);
}

}  // namespace
}  // namespace docspec
