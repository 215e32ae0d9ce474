#include "drafts/layout/region_rules.h"

#include <gtest/gtest.h>

#include "drafts/regions/line_layout.h"

namespace docspec {
namespace {

/// Kinds of the regions of a page of these words above a paragraph, whose first word is like
/// `first`.
std::vector<RegionKind> kinds_above_prose(std::vector<Word> words, const Word& first, int pitch) {
  for (int row = 0; row < 8; ++row)
    for (int i = 0; i < 10; ++i) {
      Word word = first;
      word.text = "prose";
      const int x = first.box.x0 + 75 * i, y = first.box.y0 + pitch * row;
      word.box = {x, y, x + 65, y + 24};
      words.push_back(std::move(word));
    }
  PageInput page{2, 1000, 1400, 144, nullptr, {}, {}, {}};
  page.words = words;
  std::vector<RegionKind> out;
  for (const Region& region : make_line_layout()->detect(page)) out.push_back(region.kind);
  return out;
}

/// Kinds of the regions of a page of OCR's words: large ones, then a paragraph.
std::vector<RegionKind> kinds(const std::string& large) {
  return kinds_above_prose({{large, {100, 400, 100 + 24 * int(large.size()), 448}, 1, 18}},
                           {"", {100, 500, 100, 500}, 1, 9}, 36);
}

bool headed(const std::string& large) {
  const auto found = kinds(large);
  return !found.empty() && found.front() == RegionKind::section_header;
}

TEST(RegionRules, LargeLettersOfOcrHeadNothingWithoutAWord) {
  EXPECT_TRUE(headed("Results"));
  EXPECT_TRUE(headed("研究方法"));
  EXPECT_FALSE(headed("xT1"));
  EXPECT_FALSE(headed("TP+FP"));
  EXPECT_FALSE(headed("rank=trace")) << "an equation of several rows";
  EXPECT_TRUE(headed("换房间是更有利的选择而坚持原选择的成功概率只有一半的说明"));
  EXPECT_FALSE(headed("因此从概率的角度来看，换房间是更有利的选择而坚持原选择的成功概率"))
      << "a sentence with a formula";
}

/// Kinds of the regions of a page of prose below a line in this font.
std::vector<RegionKind> kinds_below(const std::string& line, const std::string& font) {
  std::vector<Word> words;
  int x = 100;
  for (size_t at = 0; at < line.size();) {
    const size_t end = std::min(line.find(' ', at), line.size());
    const int width = 12 * int(end - at);
    words.push_back({line.substr(at, end - at), {x, 420, x + width, 444}, 1, 10});
    words.back().font = font;
    x += width + 8;
    at = end + 1;
  }
  Word prose{"", {100, 470, 100, 470}, 1, 10};
  prose.font = "LinLibertineT";
  return kinds_above_prose(std::move(words), prose, 30);
}

TEST(RegionRules, ASlantedLineOfThreeLevelsHeadsWhateverItEndsWith) {
  const std::string line = "6.1.4 Remembering papers of the past.";
  EXPECT_EQ(kinds_below(line, "LinLibertineTI").front(), RegionKind::section_header);
  EXPECT_EQ(kinds_below(line, "LinLibertineT").front(), RegionKind::text);
}

}  // namespace
}  // namespace docspec
