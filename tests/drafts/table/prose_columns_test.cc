#include "drafts/table/prose_columns.h"

#include <gtest/gtest.h>

#include <vector>

namespace docspec {
namespace {

constexpr int kSize = 20, kLineStep = 26;

TextLine full_line(const Box& box, int words) {
  TextLine line;
  line.box = box;
  line.size_px = kSize;
  line.words.resize(size_t(words));
  return line;
}

/// Five rows of three pieces each, and a full line right above and below them.
std::vector<TextLine> justified(int right_edge_below) {
  std::vector<TextLine> lines;
  for (int row = 0; row < 5; ++row)
    for (int piece = 0; piece < 3; ++piece)
      lines.push_back(
          full_line({150 * piece, kLineStep * row, 150 * piece + 100, kLineStep * row + kSize}, 1));
  lines.push_back(full_line({0, -kLineStep, 400, -kLineStep + kSize}, 8));
  lines.push_back(full_line({0, 5 * kLineStep, right_edge_below, 5 * kLineStep + kSize}, 8));
  return lines;
}

TEST(ProseColumns, WideWordSpacesOfAParagraphAreNoColumns) {
  const std::vector<int> rows = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  EXPECT_TRUE(is_spaced_prose(rows, justified(400)));
  EXPECT_FALSE(is_spaced_prose(rows, justified(250)));  // a note below a table is of its own width
}

/// Words of a ruled table of two columns: the right one has `rows` rows of `words` words.
std::vector<Box> words_of_column(int rows, int words) {
  std::vector<Box> boxes = {{10, 10, 60, 30}};
  for (int row = 0; row < rows; ++row)
    for (int word = 0; word < words; ++word)
      boxes.push_back({210 + 40 * word, 10 + 25 * row, 240 + 40 * word, 30 + 25 * row});
  return boxes;
}

TEST(ProseColumns, AColumnOfANewspaperIsNoCell) {
  RuledTable table;
  table.box = {0, 0, 500, 1000};
  table.rows = 1, table.columns = 2;
  table.cells = {{0, 0, 1, 1, {0, 0, 200, 1000}}, {0, 1, 1, 1, {200, 0, 500, 1000}}};
  EXPECT_TRUE(holds_articles(table, words_of_column(30, 6)));
  EXPECT_FALSE(holds_articles(table, words_of_column(10, 6)));  // a long cell
  EXPECT_FALSE(holds_articles(table, words_of_column(30, 2)));  // a column whose rows no rule parts
}

}  // namespace
}  // namespace docspec
