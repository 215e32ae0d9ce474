// What was misread in notes and reports in Chinese (seed 103): lines with much white between them,
// calls of functions within sentences.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "drafts/layout/text_openings.h"
#include "drafts/lines/text_blocks.h"

namespace docspec {
namespace {

constexpr int kLetter = 20;  // pixels, of 144 a inch

Word word_of(int x0, int y, const std::string& text, int letters,
             const std::string& font = "SimSun") {
  Word word;
  word.text = text;
  word.box = {x0, y, x0 + letters * kLetter, y + 26};
  word.font_size_pt = kLetter / 2.0;
  word.font = font;
  return word;
}

/// Lines of Chinese at the same distance, of which every second one begins `indent` letters in and
/// ends in `end`: how many blocks they make.
size_t blocks_of_pairs(int indent, const std::string& end) {
  std::vector<Word> words;
  std::vector<TextLine> lines;
  std::vector<int> chosen;
  for (int i = 0; i < 6; ++i) {
    const int in = i % 2 ? 0 : indent;
    words.push_back(word_of(in * kLetter, 60 * i, i % 2 ? "程在其中实现。" : "最后的过" + end,
                            i % 2 ? 12 : 30 - in));
    lines.emplace_back().words = {i};
    summarise(lines.back(), words, 144);
    chosen.push_back(i);
  }
  return group_blocks(lines, chosen, words).size();
}

TEST(PageSeed103Text, ChineseGoesOnAtTheMarginAcrossMuchWhite) {
  EXPECT_EQ(blocks_of_pairs(2, "程"), 3u);
  EXPECT_EQ(blocks_of_pairs(2, "。"), 6u) << "sentences end there";
  EXPECT_EQ(blocks_of_pairs(5, "程"), 6u) << "no first lines of paragraphs";
}

bool is_typed(const std::vector<Word>& words) {
  TextLine line;
  for (int i = 0; i < int(words.size()); ++i) line.words.push_back(i);
  summarise(line, words, 144);
  return line.mono;
}

TEST(PageSeed103Text, ChineseJoinedToACallIsNotTyped) {
  const std::string call = "fork()调用有两种，一种复制所有线程";
  EXPECT_FALSE(is_typed({word_of(0, 0, "多线程中", 4), word_of(90, 0, call, 17, "Consolas"),
                         word_of(450, 0, "exec()与进程中的相同。", 12, "Consolas")}));
  EXPECT_TRUE(
      is_typed({word_of(0, 0, "return", 6, "Consolas"), word_of(150, 0, "child;", 6, "Consolas"),
                word_of(300, 0, "//子进程的代码", 8, "Consolas")}));
}

TEST(PageSeed103Text, AChineseSentenceWithAPlainColonHeadsNothing) {
  EXPECT_TRUE(heads_nothing("并且如果跳转页面非法,则会提示(容错性):"));
  EXPECT_FALSE(heads_nothing("实验目的:"));
}

}  // namespace
}  // namespace docspec
