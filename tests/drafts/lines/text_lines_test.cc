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

}  // namespace
}  // namespace docspec
