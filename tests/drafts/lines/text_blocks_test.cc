#include "drafts/lines/text_blocks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace docspec {
namespace {

constexpr int kEm = 40;

/// A line of one word at these places, as OCR finds it.
void add_line(std::vector<Word>& words, std::vector<TextLine>& lines, int x0, int x1, int y,
              const std::string& text, double size = kEm) {
  words.push_back({text, {x0, y, x1, y + 30}});
  TextLine line;
  line.box = words.back().box;
  line.words = {int(words.size()) - 1};
  line.chars = 20;
  line.size_px = size;
  line.rough_size = true;
  lines.push_back(line);
}

/// Blocks of three lines of which the second ends early, on the left or on the right, and looks
/// larger to OCR.
size_t blocks_of(const std::string& word, bool from_right) {
  std::vector<Word> words;
  std::vector<TextLine> lines;
  add_line(words, lines, 200, 1400, 100, word);
  add_line(words, lines, from_right ? 340 : 200, from_right ? 1400 : 1260, 145, word, 1.45 * kEm);
  add_line(words, lines, 200, 1400, 190, word);
  words[2].box.x0 = from_right ? 1200 : 200, words[2].box.x1 = from_right ? 1400 : 400;
  return group_blocks(lines, {0, 1, 2}, words).size();
}

TEST(TextBlocks, LinesOfHebrewGoOnFromTheRight) {
  EXPECT_EQ(blocks_of("שלום", true), 1u);
  EXPECT_EQ(blocks_of("lower", false), 1u);
}

TEST(TextBlocks, PiecesAboveALineOfArabicDoNotPartIt) {
  std::vector<Word> words;
  std::vector<TextLine> lines;
  add_line(words, lines, 250, 390, 100, "|][");
  add_line(words, lines, 400, 1400, 100, "الجديد");
  add_line(words, lines, 200, 1400, 145, "النص");
  const std::vector<TextBlock> blocks = group_blocks(lines, {0, 1, 2}, words);
  EXPECT_EQ(blocks.size(), 1u);
}

TEST(TextBlocks, CloseLinesOfCodeDoNotPartTheTextOfAPage) {
  std::vector<Word> words;
  std::vector<TextLine> lines;
  for (int i = 0; i < 3; ++i) {
    add_line(words, lines, 200, 1400, 100 + 58 * i, "text");
    lines.back().rough_size = false;
  }
  std::vector<int> chosen = {0, 1, 2};
  for (int i = 0; i < 9; ++i) {
    chosen.push_back(int(lines.size()));
    add_line(words, lines, 300, 900, 500 + 34 * i, "code");
    lines.back().mono = true;
  }
  EXPECT_EQ(group_blocks(lines, chosen, words).size(), 2u);
}

}  // namespace
}  // namespace docspec
