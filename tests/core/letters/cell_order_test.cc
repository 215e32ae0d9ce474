// The tokens of a table in the order of its cells.
#include "core/letters/cell_order.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

PageToken token(const char* text, int x, int y, size_t line) {
  PageToken out;
  out.text = text;
  out.box = {x, y, x + 40, y + 20};
  out.line = line;
  return out;
}

std::string in_order(const std::vector<PageToken>& tokens) {
  std::string out;
  for (const PageToken& one : tokens) out += (out.empty() ? "" : " ") + one.text;
  return out;
}

TEST(CellPlaces, SpansMoveTheCellsBesideAndBelow) {
  const auto table = parse_html_table(
      "<table><tr><td rowspan=\"2\">a</td><td colspan=\"2\">b</td></tr>"
      "<tr><td>c</td><td>d</td></tr></table>");
  const std::vector<CellPlace> places = cell_places(*table);
  ASSERT_EQ(places.size(), 4u);
  EXPECT_EQ(places[0].row_to, 2);
  EXPECT_EQ(places[1].column_to, 3);
  EXPECT_EQ(places[2].column, 1);
  EXPECT_EQ(places[3].column, 2);
}

/// Two rows of two cells; the first has two lines, which the page has beside those of the second.
std::vector<PageToken> two_rows() {
  return {token("Inference", 0, 0, 0), token("mAP", 200, 0, 0), token("time", 0, 30, 1),
          token("(0.75)", 200, 30, 1), token("5.39", 0, 80, 2), token("0.88", 200, 80, 2)};
}

const auto kTwoRows = parse_html_table(
    "<table><tr><td>Inference time</td><td>mAP (0.75)</td></tr>"
    "<tr><td>5.39</td><td>0.88</td></tr></table>");

TEST(CellOrder, LinesOfACellStandTogether) {
  std::vector<PageToken> tokens = two_rows();
  const std::vector<size_t> votes = {0, 1, SIZE_MAX, 1, 2, 3};  // the model misread "time"
  ASSERT_TRUE(order_by_cells(cell_places(*kTwoRows), votes, tokens));
  EXPECT_EQ(in_order(tokens), "Inference time mAP (0.75) 5.39 0.88");
  EXPECT_EQ(tokens[1].cell, 0u);
  EXPECT_TRUE(tokens[0].aligned.line_end);
  EXPECT_EQ(tokens[5].cell, 3u);
}

TEST(CellOrder, VotesThatContradictThePlacesChangeNothing) {
  std::vector<PageToken> tokens = two_rows();
  const std::vector<size_t> votes = {3, 0, 1, 2, 0, 1};
  EXPECT_FALSE(order_by_cells(cell_places(*kTwoRows), votes, tokens));
  EXPECT_EQ(in_order(tokens), "Inference mAP time (0.75) 5.39 0.88");
}

}  // namespace
}  // namespace docspec
