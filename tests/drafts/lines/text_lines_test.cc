#include "drafts/lines/text_lines.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

TEST(TextLines, AJustifiedLineWithWideBlanksIsOne) {
  const auto lines_of = [](std::vector<int> starts, const char* word) {
    std::vector<Word> words;
    for (const int x : starts) words.push_back({word, {x, 0, x + 50, 20}});
    return group_lines(words, 72).size();
  };
  EXPECT_EQ(lines_of({0, 105, 210, 315, 420, 525}, "words"), 1u);
  EXPECT_EQ(lines_of({0, 105, 210, 315, 420, 525}, "Price"), 6u);
  EXPECT_EQ(lines_of({0, 105, 300, 405, 600, 705}, "words"), 6u);
  EXPECT_EQ(lines_of({0, 105, 210, 315, 420, 525}, "Price,"), 1u);
}

TEST(TextLines, AJustifiedLineMayHaveTwoBlanksAfterASentence) {
  const auto lines_of = [](const char* third) {
    std::vector<Word> words;
    int x = 0;
    for (const char* text : {"in", "a", third, "The", "united", "sides"}) {
      words.push_back({text, {x, 0, x + 50, 20}});
      x += text == third ? 110 : 80;
    }
    return group_lines(words, 72).size();
  };
  EXPECT_EQ(lines_of("case."), 1u);
  EXPECT_GT(lines_of("case"), 1u);
}

TEST(TextLines, ARulePartsColumnsThatStandAsNearAsWords) {
  std::vector<Word> words;
  for (int row = 0; row < 3; ++row)
    for (int word = 0; word < 6; ++word) {
      words.push_back({"words", {60 * word, 24 * row, 60 * word + 50, 24 * row + 20}});
      words.back().line = row + 1;  // OCR took both columns for one line
    }
  EXPECT_EQ(group_lines(words, 72).size(), 3u);
  const std::vector<Box> rules = {{174, 0, 176, 30}, {175, 30, 177, 46}};  // it tilts, and ends
  EXPECT_EQ(group_lines(words, 72, rules).size(), 5u);
  for (Word& word : words)
    if (word.box.x0 == 180) word.box.x0 = 171;
  EXPECT_EQ(group_lines(words, 72, rules).size(), 3u) << "drawn across a word";
}

TEST(TextLines, AWideBlankAfterASentenceIsOneWhereOcrFoundOneLine) {
  const auto lines_of = [](const char* end, int line) {
    std::vector<Word> words = {{"Bd.", {0, 0, 30, 20}},
                               {end, {50, 0, 70, 20}},
                               {"Paris", {90, 0, 130, 20}},
                               {"1896.", {140, 0, 180, 20}}};
    for (Word& word : words) word.line = 1;
    words[2].line = words[3].line = line;
    return group_lines(words, 72).size();
  };
  EXPECT_EQ(lines_of("2.", 1), 1u);
  EXPECT_EQ(lines_of("2", 1), 2u);
  EXPECT_EQ(lines_of("2.", 2), 2u);
}

}  // namespace
}  // namespace docspec
