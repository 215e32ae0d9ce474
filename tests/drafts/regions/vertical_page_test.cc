#include "drafts/regions/vertical_page.h"

#include <gtest/gtest.h>

#include "drafts/regions/line_layout.h"
#include "drafts/text/region_text.h"

namespace docspec {
namespace {

/// Columns of `length` characters each, 40 pixels apart, from the right edge of a page of 400.
std::vector<Word> columns(const std::vector<std::string>& texts) {
  std::vector<Word> words;
  for (size_t i = 0; i < texts.size(); ++i) {
    const int x = 340 - 40 * int(i), length = 30 * int(texts[i].size() / 3);
    words.push_back({texts[i], {x, 30, x + 26, 30 + length}});
    words.back().quarter_turns = 1;
    words.back().line = int(i) + 1;
  }
  return words;
}

TEST(VerticalPage, ColumnsAreReadFromTheRight) {
  const std::vector<Word> words = columns({"元来日本語は", "漢文に倣いて", "文字を上から"});
  ASSERT_TRUE(runs_downwards(words));
  PageInput page{1, 400, 600, 200, nullptr, {}, {}, {}};
  page.words = words;
  const auto layout = make_line_layout();
  const std::vector<Region> regions = detect_downwards(*layout, page);
  std::string text;
  for (const Draft& draft : region_drafts(regions, words, 200, "x")) text += draft.text;
  EXPECT_EQ(text, "元来日本語は漢文に倣いて文字を上から");
  for (const Region& region : regions)
    EXPECT_TRUE(region.box.x0 >= 0 && region.box.x1 <= 400 && region.box.y1 <= 600);
}

TEST(VerticalPage, ALevelPageAndATurnedLatinOneAreNot) {
  std::vector<Word> words = columns({"元来日本語は", "漢文に倣いて"});
  for (Word& word : words) word.quarter_turns = 0;
  EXPECT_FALSE(runs_downwards(words));
  words = columns({"turned", "letters"});
  EXPECT_FALSE(runs_downwards(words));
  EXPECT_FALSE(runs_downwards({}));
}

}  // namespace
}  // namespace docspec
