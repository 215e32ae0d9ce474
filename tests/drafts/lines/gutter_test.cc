#include "drafts/lines/gutter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "drafts/lines/line_parts.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/table_finder.h"

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
      EXPECT_TRUE(find_tables(group_lines(words, 96), words, 800, found).empty());
    }
}

/// Two columns of Chinese letters of 20 pixels; every third row is flush, the others indented.
TEST(Gutter, IsFoundBetweenColumnsOfADialogue) {
  const auto words = [](int indent, int step) {
    std::vector<Word> out;
    for (int row = 0; row < 30; ++row)
      for (const int left : {100, 430})
        for (int x = left + (row % 4 == 0 ? 0 : indent + step * (row % 3)); x + 20 <= left + 300;
             x += 24)
          out.push_back({"", {x, 60 + 30 * row, x + 20, 80 + 30 * row}});
    return out;
  };
  const Gutters found = find_gutters(words(40, 0));
  ASSERT_EQ(found.all().size(), 1u);
  EXPECT_NEAR(found.all()[0].x1, 430, 2);
  EXPECT_TRUE(find_gutters(words(40, 40)).all().empty()) << "lines that begin anywhere";
}

TEST(Gutter, IsFoundWhereTheTextEndsEarlyInTheSecondColumn) {
  std::vector<Word> words = page(2, 30, 24, true);
  constexpr int kLastRow = 60 + 20 * 3;
  std::erase_if(words,
                [](const Word& word) { return word.box.x0 >= 400 && word.box.y0 > kLastRow; });
  words.push_back({"7", {397, 700, 404, 714}});
  const auto found = find_gutter(words);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->x1, 412, 2);
  std::erase_if(words, [](const Word& word) { return word.box.x0 >= 400 && word.box.y0 > 60; });
  EXPECT_FALSE(find_gutter(words)) << "too few rows to tell";
}

TEST(Gutter, AreFoundBetweenThreeColumnsOfAGazette) {  // less than the height of a line apart
  const std::vector<Word> words = page(3, 30, 13, true);
  ASSERT_EQ(find_gutters(words).all().size(), 2u);
  for (const TextLine& line : group_lines(words, 96)) EXPECT_LT(line.box.width(), 230);
}

TEST(Gutter, AreFoundBetweenThreeColumns) {
  const Gutters found = find_gutters(page(3, 30, 30));
  for (const int x : {293, 537}) {  // where the second and the third begin
    EXPECT_TRUE(found.parts({x - 90, 60, x - 35, 75}, {x, 60, x + 40, 75})) << x;
    EXPECT_FALSE(found.parts({x + 10, 60, x + 40, 75}, {x + 45, 60, x + 80, 75})) << x;
  }
}

TEST(Gutter, AreFoundBelowATitleThatRunsOverThreeColumns) {
  std::vector<Word> words = page(3, 30, 30);
  for (const int y : {2, 22, 42})
    for (int x = 50; x < 650; x += 150) words.push_back({"Instructions", {x, y, x + 142, y + 16}});
  EXPECT_EQ(find_gutters(words).all().size(), 2u);
}

TEST(Gutter, TextAroundAPictureAndItsCaptionIsNoTable) {
  std::mt19937 rng(3);
  std::vector<Word> words;
  for (int row = 0; row < 40; ++row) {
    const bool beside = row >= 10 && row < 30;
    fill(words, rng, 50, beside ? 250 : 390, 60 + 20 * row, !beside);
    fill(words, rng, beside ? 550 : 410, 750, 60 + 20 * row, !beside);
    if (row >= 24 && row < 30) fill(words, rng, 330, 470, 60 + 20 * row, false);
  }
  const auto found = find_gutter(words);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->x1, 410, 2);
  EXPECT_TRUE(find_tables(group_lines(words, 96), words, 800, found).empty());
}

TEST(Gutter, DoesNotCutAHeadingThatRunsAcross) {
  std::vector<Word> words = page(2, 30, 24);
  std::mt19937 rng(1);
  fill(words, rng, 50, 750, 20, false);
  const auto lines = group_lines(words, 96);
  EXPECT_GT(lines.front().box.x1, 600);
}

/// Lines of a typewriter's words, justified: as many letters as fit, blanks as wide as it takes.
void type(std::vector<Word>& words, std::mt19937& rng, int x0, int x1, int y, int letter) {
  const int most = (x1 - x0) / letter;
  std::vector<int> lengths;
  int used = 0;
  for (;;) {
    const int length = 3 + int(rng() % 3);
    if (used + length > most) break;
    lengths.push_back(length);
    used += length + 1;
  }
  const int letters = std::accumulate(lengths.begin(), lengths.end(), 0) * letter;
  const double blank =
      lengths.size() < 2 ? 0 : double(x1 - x0 - letters) / double(lengths.size() - 1);
  double x = x0;
  for (const int length : lengths) {
    words.push_back(
        {std::string(size_t(length), 'n'), {int(x) + 1, y, int(x) + length * letter - 1, y + 16}});
    x += length * letter + blank;
  }
}

TEST(Gutter, IsFoundBetweenTypedColumnsWhoseBlanksAreAsWide) {
  std::mt19937 rng(3);
  std::vector<Word> words;
  for (int row = 0; row < 26; ++row)
    for (const int x : {40, 441}) type(words, rng, x, x + 358, 120 + 28 * row, 14);
  words.push_back({"Determines", {230, 60, 408, 90}});  // a title, its blank across the gutter
  words.push_back({"namespace", {432, 60, 600, 90}});
  ASSERT_TRUE(find_gutter(words));
  const auto lines = group_lines(words, 150);
  EXPECT_EQ(lines.size(), 53u);
  EXPECT_EQ(lines.front().words.size(), 2u) << "the title";
  for (size_t i = 1; i < lines.size(); ++i)
    EXPECT_TRUE(lines[i].box.x1 <= 400 || lines[i].box.x0 >= 440) << i;
}

TEST(Gutter, PartsLinesOfAPageThatWasNotReadYet) {
  const std::vector<Word> words = page(2, 30, 24);
  PageImage image(1, 800, 700, 96);
  std::vector<Box> lines;
  for (int row = 0; row < 30; ++row) lines.push_back({50, 60 + 20 * row, 750, 74 + 20 * row});
  for (const Word& word : words)
    for (int y = word.box.y0; y < word.box.y1; ++y)
      std::fill_n(image.row(y) + 3 * word.box.x0, 3 * word.box.width(), uint8_t{0});
  const auto parts = part_lines(image, lines);
  EXPECT_EQ(parts.size(), 60u);
  for (const Box& part : parts) EXPECT_TRUE(part.x1 <= 400 || part.x0 >= 400);
  EXPECT_EQ(part_lines(PageImage(1, 800, 700, 96), lines), lines) << "no ink";
}

TEST(Gutter, IsFoundBetweenLinesOfChineseThatOcrReadsAsOneWord) {
  std::vector<Word> words;
  for (int row = 0; row < 20; ++row)
    for (const int x : {50, 408}) {
      std::string line;
      for (int i = 0; i < 20; ++i) line += "字";
      words.push_back({line, {x, 60 + 24 * row, x + 340, 76 + 24 * row}});
    }
  const Gutters found = find_gutters(words);
  ASSERT_EQ(found.all().size(), 1u);
  EXPECT_TRUE(found.parts(words[0].box, words[1].box));
}

TEST(Gutter, KeepsTheOtherColumnOutOfATable) {
  std::vector<Word> words = page(2, 12, 24);
  std::mt19937 rng(5);
  for (int row = 12; row < 18; ++row) {  // a table of three columns beside running text
    const int y = 60 + 20 * row;
    fill(words, rng, 50, 388, y + 3, false);
    for (const int x : {412, 520, 640}) words.push_back({"123.45", {x, y, x + 48, y + 14}});
  }
  for (int row = 18; row < 30; ++row)
    for (const int x : {50, 412}) fill(words, rng, x, x + 338, 60 + 20 * row, false);
  const auto lines = group_lines(words, 96);
  const auto tables = find_tables(lines, words, 800, find_gutter(words));
  ASSERT_EQ(tables.size(), 1u);
  for (const int i : tables[0]) EXPECT_GE(lines[size_t(i)].box.x0, 400);
}

TEST(Gutter, AMarkerThatHangsOutOfItsColumnStaysWithItsText) {
  std::vector<Word> words = page(2, 30, 60);
  words.push_back({"d)", {407, 160, 422, 174}});
  const auto starts = [&] {
    const auto lines = group_lines(words, 96);
    return std::count_if(lines.begin(), lines.end(), [&](const TextLine& line) {
      return line.words.size() > 1 && words[size_t(line.words.front())].text == "d)";
    });
  };
  ASSERT_TRUE(find_gutter(words));
  EXPECT_EQ(starts(), 1);
  words.back() = {"(6)", {350, 160, 368, 174}};  // a formula's number, right in the first column
  std::erase_if(words, [](const Word& word) {
    return word.text != "(6)" && word.box.x1 > 330 && word.box.x0 < 400 && word.box.y0 == 160;
  });
  for (const TextLine& line : group_lines(words, 96))
    EXPECT_TRUE(line.box.x1 <= 400 || line.box.x0 >= 400);
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
  EXPECT_FALSE(find_tables(group_lines(table, 96), table, 800, {}).empty());
}

}  // namespace
}  // namespace docspec
