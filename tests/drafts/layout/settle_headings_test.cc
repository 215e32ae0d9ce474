#include "drafts/layout/settle_headings.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

/// What a line in large letters, called a heading, is settled to above the item `next`.
RegionKind settled(const std::string& mark, const std::string& next) {
  const std::vector<Word> words = {{mark, {0, 0, 18, 20}},
                                   {"JSON", {30, 0, 80, 20}},
                                   {next, {0, 34, 18, 50}},
                                   {"Markdown", {30, 34, 110, 50}}};
  std::vector<TextLine> lines(2);
  std::vector<Region> regions;
  for (int i = 0; i < 2; ++i) {
    TextLine& line = lines[size_t(i)];
    line.words = {2 * i, 2 * i + 1};
    line.box = unite(words[size_t(2 * i)].box, words[size_t(2 * i + 1)].box);
    line.size_px = i ? 16 : 20;
    line.rough_size = true;
    regions.push_back({i, i, i ? RegionKind::list_item : RegionKind::section_header, line.box, 1});
  }
  settle_numbered_lines(regions, lines, {0, 1}, {1, 1}, words);
  return regions[0].kind;
}

TEST(SettleNumberedLines, AnItemInCapitalsIsNoHeadingOfItsList) {
  EXPECT_EQ(settled("1.", "2."), RegionKind::list_item);
  EXPECT_EQ(settled("2.", "1."), RegionKind::section_header);  // "2. Outputs" above its own list
  EXPECT_EQ(settled("A.", "1."), RegionKind::section_header);
}

}  // namespace
}  // namespace docspec
