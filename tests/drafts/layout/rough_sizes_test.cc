#include "drafts/layout/rough_sizes.h"

#include <gtest/gtest.h>

#include <random>

namespace docspec {
namespace {

TextLine line(int x0, int x1, int y, double size) {
  TextLine line;
  line.box = {x0, y, x1, y + 14};
  line.size_px = size;
  line.rough_size = true;
  return line;
}

/// Ten full lines of a column and a short last one, 20 pixels apart.
std::vector<TextLine> paragraph(int y) {
  std::vector<TextLine> lines;
  for (int i = 0; i < 10; ++i) lines.push_back(line(50, 400, y + 20 * i, 12));
  lines.push_back(line(50, 200, y + 200, 12));
  return lines;
}

TEST(RoughSizes, ALineOfAParagraphIsAsLargeAsItsNeighbours) {
  for (size_t odd = 0; odd < 11; ++odd) {
    std::vector<TextLine> lines = paragraph(0);
    lines[odd].size_px = 17;
    settle_rough_sizes(lines, {});
    for (const TextLine& line : lines) EXPECT_EQ(line.size_px, 12) << odd;
  }
}

TEST(RoughSizes, ALastLineOfSmallLettersAloneIsAsLargeAsTheOthers) {
  for (const char* const text : {"now.", "succès.", "Note"}) {
    std::vector<TextLine> lines = paragraph(0);
    lines.back().size_px = 7;
    lines.back().words = {0};
    const Word word{text, {}};
    settle_rough_sizes(lines, std::span(&word, 1));
    EXPECT_EQ(lines.back().size_px, word.text == "Note" ? 7 : 12) << text;
  }
}

TEST(RoughSizes, HeadingsKeepTheirs) {
  for (const int width : {120, 350}) {  // short, and as wide as the column
    std::vector<TextLine> lines = paragraph(0);
    lines.push_back(line(50, 50 + width, 245, 17));
    for (const TextLine& below : paragraph(285)) lines.push_back(below);
    settle_rough_sizes(lines, {});
    EXPECT_EQ(lines[11].size_px, 17) << width;
  }
}

TEST(RoughSizes, NoSizeLeavesTheRangeOfThePageNorAnExactOneChanges) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 rng(seed);
    std::vector<TextLine> lines;
    for (int i = 0; i < 40; ++i) {
      const int x = int(rng() % 500);
      lines.push_back(line(x, x + 20 + int(rng() % 400), int(rng() % 900), 8 + int(rng() % 12)));
      lines.back().rough_size = rng() % 4 != 0;
    }
    std::vector<TextLine> settled = lines;
    settle_rough_sizes(settled, {});
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_GE(settled[i].size_px, 8);
      EXPECT_LE(settled[i].size_px, 19);
      if (!lines[i].rough_size) {
        EXPECT_EQ(settled[i].size_px, lines[i].size_px) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace docspec
