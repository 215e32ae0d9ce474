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

}  // namespace
}  // namespace docspec
