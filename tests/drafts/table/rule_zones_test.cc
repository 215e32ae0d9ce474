// Tables that stand below each other between rules of one width.
#include "drafts/table/rule_zones.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

TextLine line_at(const Box& box) {
  TextLine line;
  line.box = box;
  return line;
}

TEST(RuleZones, ATableIsTornWhereItsCellsHoldThingsFarApart) {
  std::vector<Word> words;
  std::vector<GridCell> near, far;
  for (int row = 0; row < 4; ++row) {
    const int y = 30 * row;
    words.push_back({"E103184", {0, y, 60, y + 10}});
    words.push_back({"set", {90, y, 120, y + 10}});
    far.push_back({row, 0, 1, 1, {0, y, 200, y + 10}});
    near.push_back({row, 0, 1, 1, {0, y, 75, y + 10}});
    near.push_back({row, 1, 1, 1, {75, y, 200, y + 10}});
  }
  EXPECT_TRUE(is_torn(far, words, 10));
  EXPECT_FALSE(is_torn(near, words, 10));
}

TEST(RuleZones, LinesArePartedWhereTheWhiteBetweenRowsIsHigh) {
  const std::vector<TextLine> lines = {line_at({0, 0, 50, 10}), line_at({80, 0, 120, 10}),
                                       line_at({0, 13, 50, 23}), line_at({0, 60, 50, 70})};
  EXPECT_EQ(parts_at_gaps(lines, 10), (std::vector<Box>{{0, 0, 120, 23}, {0, 60, 50, 70}}));
}

}  // namespace
}  // namespace docspec
