#include "drafts/gutter.h"

#include <gtest/gtest.h>

#include <random>

#include "drafts/table_finder.h"
#include "drafts/text_lines.h"

namespace docspec {
namespace {

/// Fills [x0, x1) of a row with words of chance lengths, 6 pixels apart; justified if asked.
void fill(std::vector<Word>& words, std::mt19937& rng, int x0, int x1, int y, bool justified) {
  const size_t first = words.size();
  for (int x = x0;;) {
    const int width = 15 + int(rng() % 50);
    if (x + width > x1) break;
    words.push_back({std::string(size_t(width) / 7, 'n'), {x, y, x + width, y + 14}});
    x += width + 6;
  }
  const int left = x1 - words.back().box.x1, gaps = int(words.size() - first) - 1;
  for (size_t i = first; justified && i < words.size(); ++i) {
    const int shift = gaps == 0 ? 0 : left * int(i - first) / gaps;
    words[i].box.x0 += shift;
    words[i].box.x1 += shift;
  }
}

std::vector<Word> page(int columns, int rows, int gutter, bool justified = false) {
  std::mt19937 rng(7);
  std::vector<Word> words;
  const int width = (700 - gutter * (columns - 1)) / columns;
  for (int row = 0; row < rows; ++row)
    for (int c = 0; c < columns; ++c) {
      const int x = 50 + c * (width + gutter);
      fill(words, rng, x, x + width, 60 + 20 * row, justified);
    }
  return words;
}

TEST(Gutter, IsFoundBetweenTwoColumnsHoweverNarrow) {
  for (const int gutter : {16, 24, 60})
    for (const bool justified : {false, true}) {
      std::vector<Word> words = page(2, 30, gutter, justified);
      const auto found = find_gutter(words);
      ASSERT_TRUE(found) << gutter;
      EXPECT_LE(found->x0, 400 + gutter / 2);
      EXPECT_NEAR(found->x1, 400 + gutter / 2, 2);
      for (const TextLine& line : group_lines(words, 96))
        EXPECT_TRUE(line.box.x1 <= 400 || line.box.x0 >= 400) << gutter;
      EXPECT_TRUE(find_tables(group_lines(words, 96), words, 800).empty());
    }
}

TEST(Gutter, DoesNotCutAHeadingThatRunsAcross) {
  std::vector<Word> words = page(2, 30, 24);
  std::mt19937 rng(1);
  fill(words, rng, 50, 750, 20, false);
  const auto lines = group_lines(words, 96);
  EXPECT_GT(lines.front().box.x1, 600);
}

TEST(Gutter, IsNotSeenWhereTextIsOneColumnOrATable) {
  EXPECT_FALSE(find_gutter({}));
  EXPECT_FALSE(find_gutter(page(1, 30, 0)));
  EXPECT_FALSE(find_gutter(page(2, 4, 24))) << "too few rows to tell";
  std::vector<Word> table;
  for (int row = 0; row < 20; ++row)
    for (int column = 0; column < 6; ++column)
      table.push_back(
          {"1234", {50 + 120 * column, 60 + 20 * row, 95 + 120 * column, 74 + 20 * row}});
  EXPECT_FALSE(find_gutter(table));
  EXPECT_FALSE(find_tables(group_lines(table, 96), table, 800).empty());
}

}  // namespace
}  // namespace docspec
