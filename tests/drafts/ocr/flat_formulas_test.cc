#include "drafts/ocr/formulas/flat_formulas.h"

#include <gtest/gtest.h>

#include <sstream>

namespace docspec {
namespace {

constexpr int kEm = 20;

/// A line of words, each letter as wide as half its height.
void write(PageDrafts& page, int x, int y, const std::string& text, int height = kEm) {
  if (page.drafts.empty()) page.drafts.emplace_back();
  page.dpi = 144;
  static int line = 0;
  ++line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const int width = int(word.size()) * kEm / 2;
    Word read{word, {x, y, x + width, y + height}, 1, 10};
    read.line = line;
    page.drafts[0].words.push_back(read);
    x += width + kEm / 3;
  }
}

PageDrafts prose() {
  PageDrafts page;
  for (int y = 100; y < 400; y += 30)
    write(page, 100, y, "The gain of an antenna is found by the method of two antennas");
  return page;
}

TEST(FlatFormulas, ProseAndAnExercisePaperAreNotDoubted) {
  PageDrafts page = prose();
  EXPECT_EQ(doubt_of_flat_formulas(page), "");
  for (int y = 500; y < 800; y += 30) {
    write(page, 100, y, "3 + 4 =");
    write(page, 400, y, "x = 12");
    write(page, 600, y, "√");
  }
  EXPECT_EQ(doubt_of_flat_formulas(page), "");
}

TEST(FlatFormulas, WordsOfOtherScriptsAreWords) {
  for (const char* text : {"=הקובץ התגלה", "=файл не найден", "=αρχείο δεν"}) {
    PageDrafts page = prose();
    write(page, 100, 500, text);
    write(page, 100, 530, text);
    EXPECT_EQ(doubt_of_flat_formulas(page), "") << text;
  }
}

TEST(FlatFormulas, MarksThatEndARowAreNoEquations) {
  const auto doubted = [](const std::string& row) {
    PageDrafts page = prose();
    for (const int y : {500, 530}) {
      write(page, 100, y, row);
      write(page, 600, y, "=SA");
    }
    return !doubt_of_flat_formulas(page).empty();
  };
  EXPECT_FALSE(doubted("WHITE BOARD MARKER SET"));
  EXPECT_TRUE(doubted("1 0"));
}

TEST(FlatFormulas, TaxesOfAReceiptAreNoEquations) {
  const auto doubted = [](const std::string& share) {
    PageDrafts page = prose();
    for (const int y : {500, 530}) {
      write(page, 100, y, "SR=");
      write(page, 160, y, share);
    }
    for (const int y : {485, 515, 545}) write(page, 150, y, "1");
    return !doubt_of_flat_formulas(page).empty();
  };
  EXPECT_FALSE(doubted("6%"));
  EXPECT_TRUE(doubted("6 2"));
}

TEST(FlatFormulas, HalvesOfFractionsAreSaid) {
  PageDrafts page = prose();
  for (const int y : {500, 600}) {
    write(page, 300, y + 12, "G = 0.51");
    write(page, 380, y, "4πA", 16);
    write(page, 384, y + 28, "λ2", 16);
    EXPECT_EQ(doubt_of_flat_formulas(page) != "", y == 600) << "one may be something else";
  }
}

TEST(FlatFormulas, SumsTallLinesAndMissingSidesAreSaid) {
  PageDrafts sums = prose();
  write(sums, 300, 500, "f(y) = ∑ g(p)");
  write(sums, 300, 600, "h(e) = ∑ log q");
  EXPECT_NE(doubt_of_flat_formulas(sums), "");
  PageDrafts tall = prose();
  write(tall, 300, 500, "V = 2I β", 2 * kEm);
  write(tall, 300, 600, "W = 2J γ", 2 * kEm);
  EXPECT_NE(doubt_of_flat_formulas(tall), "");
  PageDrafts matrices = prose();
  for (const int y : {500, 700}) {
    write(matrices, 300, y, "A =");
    write(matrices, 360, y - 30, "0 1");
    write(matrices, 360, y + 30, "1 0");
  }
  EXPECT_NE(doubt_of_flat_formulas(matrices), "");
}

TEST(FlatFormulas, LostIndicesOfAFormulaAreSaid) {
  PageDrafts page = prose();
  const auto doubt_of = [&](const std::string& text) {
    PageDrafts own = page;
    own.drafts.push_back({1, "ppocr", "$$" + text + "$$", 1, {{text, {300, 500, 400, 520}}}});
    return doubt_of_flat_formulas(own);
  };
  for (const char* text : {"E=mc2", "θt+1", "λ2"}) EXPECT_NE(doubt_of(text), "") << text;
  for (const char* text : {"y=2x", "sin(x)+3", "max2"}) EXPECT_EQ(doubt_of(text), "") << text;
}

}  // namespace
}  // namespace docspec
