// Lines of listings that have Chinese beside type of one width.
#include "drafts/regions/listings.h"

#include <gtest/gtest.h>

#include <string>

namespace docspec {
namespace {

/// Lines of words of 20 pixels, one row every 30; a word with Chinese is set in a font of its own.
struct TypedPage {
  std::vector<Word> words;
  std::vector<TextLine> lines;

  void add(int row, const std::vector<std::string>& texts, const char* font = "CMTT10") {
    TextLine line;
    int x = 100;
    for (const std::string& text : texts) {
      Word word;
      word.text = text;
      word.font = uint8_t(text[0]) < 0x80 ? font : "FangSong";
      word.font_size_pt = 10;
      word.box = {x, 30 * row, x + 12 * int(text.size()), 30 * row + 20};
      x = word.box.x1 + 12;
      line.words.push_back(int(words.size()));
      words.push_back(word);
    }
    summarise(line, words, 144);
    lines.push_back(line);
  }
};

TEST(Listings, ChineseBetweenLinesOfCodeIsOfThem) {
  TypedPage page;
  for (int row = 0; row < 4; ++row) page.add(row, {"press", "enter", "to", "go"});
  page.add(6, {"opening", "初心未改.mp4..."});
  page.add(7, {"心未改(3).zzip"});
  page.add(8, {"compress", "successfully"});
  ASSERT_FALSE(page.lines[4].mono);
  settle_listings(page.lines, page.words, {}, 144);
  EXPECT_TRUE(page.lines[4].mono) << "two empty lines below the others";
  EXPECT_TRUE(page.lines[5].mono) << "what the line above has no room for";
}

TEST(Listings, ASentenceBetweenLinesOfCodeIsNone) {
  TypedPage page;
  for (int row = 0; row < 4; ++row) page.add(row, {"press", "enter", "to", "go"});
  page.add(4, {"所以答案是", "go", "输入以下的内容"});
  page.add(5, {"and", "then", "press"}, "Times");
  page.add(6, {"compress", "successfully"});
  settle_listings(page.lines, page.words, {}, 144);
  EXPECT_FALSE(page.lines[4].mono) << "more Chinese than code";
  EXPECT_FALSE(page.lines[5].mono) << "prose where the code begins";
}

}  // namespace
}  // namespace docspec
