// What was misread in tables of real pages (seed 102): heads of several lines, rows parted by
// white, text that runs over the edge of its cell.
#include <gtest/gtest.h>

#include "drafts/table/rows/open_rows.h"

namespace docspec {
namespace {

/// A word whose box begins at the left and the top given, 20 pixels high.
Word word_at(int x, int y, const std::string& text) {
  Word word;
  word.text = text;
  word.box = {x, y, x + 10 * int(text.size()), y + 20};
  return word;
}

TEST(PageSeed102Tables, AHeadOfSeveralLinesThatStandsAtTheFootOfItsRowIsOneRow) {
  for (const bool foot : {true, false}) {
    RuledTable table{{0, 0, 600, 130}, 1, 3, {}};
    std::vector<Word> words;
    for (int column = 0; column < 3; ++column)
      table.cells.push_back({0, column, 1, 1, {200 * column, 0, 200 * column + 200, 130}});
    for (int line = 0; line < 4; ++line) {
      if (!foot || line == 3) words.push_back(word_at(10, 5 + 30 * line, "Benefit"));
      words.push_back(word_at(210, 5 + 30 * line, "Districts"));
      words.push_back(word_at(410, 5 + 30 * line, "Schools"));
    }
    split_open_rows(table, words);
    EXPECT_EQ(table.rows, foot ? 1 : 4);
  }
}

/// A cell of two entries below their head, each beside two lines of what it means.
std::vector<Word> entries_below_a_head(int entries) {
  std::vector<Word> words{word_at(10, 5, "Mobile:")};
  for (int k = 0; k < entries; ++k) {
    const int y = 55 + 80 * k;
    words.push_back(word_at(30, y, "Road"));
    words.push_back(word_at(210, y, "Emissions"));
    words.push_back(word_at(210, y + 25, "from cars"));
  }
  return words;
}

TEST(PageSeed102Tables, AHeadOfEntriesThatWhitePartsIsARowOfItsOwn) {
  for (const int entries : {1, 2}) {
    RuledTable table{{0, 0, 400, 220}, 1, 2, {}};
    for (int column = 0; column < 2; ++column)
      table.cells.push_back({0, column, 1, 1, {200 * column, 0, 200 * column + 200, 220}});
    split_open_rows(table, entries_below_a_head(entries));
    EXPECT_EQ(table.rows, entries == 1 ? 1 : 3);
  }
}

TEST(PageSeed102Tables, ABlankCellBelowTheShadeOfALabelIsNoRow) {
  RuledTable table{{0, 0, 400, 220}, 2, 2, {}};
  table.cells.push_back({0, 0, 1, 1, {0, 0, 200, 160}});
  table.cells.push_back({0, 1, 1, 2, {200, 0, 400, 220}});
  table.cells.push_back({1, 0, 1, 1, {0, 160, 200, 220}});
  split_open_rows(table, entries_below_a_head(2));
  EXPECT_EQ(table.rows, 3);
  EXPECT_EQ(table.cells.size(), 6u);
}

}  // namespace
}  // namespace docspec
