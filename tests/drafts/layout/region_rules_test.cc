#include "drafts/layout/region_rules.h"

#include <gtest/gtest.h>

#include "drafts/layout/line_layout.h"

namespace docspec {
namespace {

/// Kinds of the regions of a page of OCR's words: large ones, then a paragraph.
std::vector<RegionKind> kinds(const std::string& large) {
  std::vector<Word> words = {{large, {100, 400, 100 + 24 * int(large.size()), 448}, 1, 18}};
  for (int row = 0; row < 8; ++row)
    for (int i = 0; i < 10; ++i)
      words.push_back(
          {"prose", {100 + 75 * i, 500 + 36 * row, 165 + 75 * i, 524 + 36 * row}, 1, 9});
  PageInput page{2, 1000, 1400, 144, nullptr, {}, {}, {}};
  page.words = words;
  std::vector<RegionKind> out;
  for (const Region& region : make_line_layout()->detect(page)) out.push_back(region.kind);
  return out;
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
  for (int row = 0; row < 8; ++row)
    for (int i = 0; i < 10; ++i) {
      words.push_back(
          {"prose", {100 + 75 * i, 470 + 30 * row, 165 + 75 * i, 494 + 30 * row}, 1, 10});
      words.back().font = "LinLibertineT";
    }
  PageInput page{2, 1000, 1400, 144, nullptr, {}, {}, {}};
  page.words = words;
  std::vector<RegionKind> out;
  for (const Region& region : make_line_layout()->detect(page)) out.push_back(region.kind);
  return out;
}

TEST(RegionRules, ASlantedLineOfThreeLevelsHeadsWhateverItEndsWith) {
  const std::string line = "6.1.4 Remembering papers of the past.";
  EXPECT_EQ(kinds_below(line, "LinLibertineTI").front(), RegionKind::section_header);
  EXPECT_EQ(kinds_below(line, "LinLibertineT").front(), RegionKind::text);
}

}  // namespace
}  // namespace docspec
