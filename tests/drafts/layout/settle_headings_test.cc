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

TEST(SettleNumberedLines, AnInitialOpensNoItemUnlessOthersCountWithIt) {
  for (const char* const next : {"F.", "I."}) {
    const std::vector<Word> words = {{"H.", {0, 0, 18, 20}},
                                     {"Smith", {30, 0, 80, 20}},
                                     {next, {0, 34, 18, 54}},
                                     {"Tano", {30, 34, 80, 54}}};
    std::vector<TextLine> lines(2);
    std::vector<Region> regions;
    for (int i = 0; i < 2; ++i) {
      lines[size_t(i)].words = {2 * i, 2 * i + 1};
      lines[size_t(i)].box = {0, 34 * i, 80, 34 * i + 20};
      regions.push_back({i, i, RegionKind::list_item, lines[size_t(i)].box, 1});
    }
    settle_numbered_lines(regions, lines, {0, 1}, {1, 1}, words);
    const RegionKind expected = next[0] == 'F' ? RegionKind::text : RegionKind::list_item;
    for (const Region& region : regions) EXPECT_EQ(region.kind, expected) << next;
  }
}

}  // namespace
}  // namespace docspec
