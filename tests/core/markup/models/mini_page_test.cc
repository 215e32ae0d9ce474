#include "core/markup/models/mini_page.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

const PageFrame kFrame{500, 700, 1400, 1960};  // 100 x 140 patches
const auto kDialect = make_mini_page_dialect();

constexpr char kPage[] =
    "<|page-header|><|2|><|1|>A journal<|20|><|2|>"
    "<|title|><|2|><|5|>A title<|40|><|8|>"
    "<|picture|><|2|><|10|><|50|><|30|>"
    "<|caption|><|2|><|31|>Figure 1: circles<|30|><|32|>"
    "<|table|><|2|><|40|>| a | b |\n| --- | --- |\n| 1 | 2.5 |<|60|><|50|>"
    "<|list-item|><|2|><|52|>one <b> & two<|30|><|53|>"
    "<|text|><|0|><|60|>x < y |> z <|99|><|139|>"
    "<|text|><|2|><|62|>the set \\(A_i\\) of \\(x\\), from $5 to $6.<|30|><|63|>"
    "<|formula|><|2|><|64|>a=b^2<|30|><|65|>";

TEST(MiniPage, ReadsKindsTextsAndBoxes) {
  const auto blocks = kDialect->parse_page(kPage, kFrame);
  ASSERT_EQ(blocks.size(), 9u);
  EXPECT_EQ(blocks[7].text, "the set $A_i$ of $x$, from $5 to $6.");
  EXPECT_EQ(blocks[8].latex, "a=b^2");
  EXPECT_EQ(blocks[0].kind, RegionKind::page_header);
  EXPECT_EQ(blocks[1].text, "A title");
  EXPECT_EQ(kFrame.to_frame(blocks[1].box_pt), (Box{28, 70, 574, 126})) << "last patch included";
  EXPECT_EQ(blocks[2].kind, RegionKind::picture);
  EXPECT_EQ(blocks[4].kind, RegionKind::table);
  ASSERT_TRUE(blocks[4].html);
  EXPECT_NE(blocks[4].html->find("2.5"), std::string::npos);
  EXPECT_EQ(kFrame.to_frame(blocks[4].box_pt), (Box{28, 560, 854, 714}));
  EXPECT_EQ(blocks[5].text, "one <b> & two");
  EXPECT_EQ(blocks[6].text, "x < y |> z");
  EXPECT_DOUBLE_EQ(blocks[6].box_pt.x1, 500);
  for (size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(blocks[i].order, int(i));
}

TEST(MiniPage, WritesWhatItReads) {
  const auto blocks = kDialect->parse_page(kPage, kFrame);
  const std::string page = kDialect->render_page(blocks, kFrame);
  const auto again = kDialect->parse_page(page, kFrame);
  ASSERT_EQ(again.size(), blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(again[i].kind, blocks[i].kind);
    EXPECT_EQ(again[i].text, blocks[i].text);
    EXPECT_EQ(again[i].html, blocks[i].html);
    EXPECT_EQ(again[i].box_pt, blocks[i].box_pt);
  }
  EXPECT_EQ(kDialect->render_page(again, kFrame), page);
  EXPECT_TRUE(page.starts_with("<|page-header|><|2|><|1|>A journal<|20|><|2|><|title|>")) << page;
}

TEST(MiniPage, ABlockWithoutAllItsCoordinatesKeepsItsTextAndGetsThePagesBox) {
  const auto blocks = kDialect->parse_page("<|text|><|2|><|3|>cut off in the mid", kFrame);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].text, "cut off in the mid");
  EXPECT_EQ(blocks[0].box_pt, (PointBox{0, 0, 500, 700}));
}

TEST(MiniPage, RowsWithoutARuleGoOnWithTheTable) {
  const auto both = kDialect->parse_page(
      "<|table|><|1|><|1|>| a | b |\n| --- | --- |\n| 1 | 2 |<|9|><|2|>"
      "<|table|><|1|><|3|>| c | d |\n| e | f |<|9|><|4|>",
      kFrame);
  ASSERT_EQ(both.size(), 1u);
  for (const char* cell : {"<td>2</td>", "<td>c</td>", "<td>f</td>"})
    EXPECT_NE(both[0].html->find(cell), std::string::npos) << *both[0].html;
}

TEST(MiniPage, RowsWithoutARuleAreATable) {
  const auto blocks =
      kDialect->parse_page("<|table|><|1|><|1|>| a | b |\n| c | d |<|9|><|2|>", kFrame);
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_TRUE(blocks[0].html);
  EXPECT_NE(blocks[0].html->find("<td>d</td>"), std::string::npos) << *blocks[0].html;
}

TEST(MiniPage, TextOutsideAnyTagIsKept) {
  const auto blocks = kDialect->parse_page("<|7|>before<|caption|><|1|><|1|>it<|9|><|2|>", kFrame);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].text, "before");
  EXPECT_EQ(blocks[1].kind, RegionKind::caption);
  EXPECT_EQ(kDialect->parse_page("<|999|> and <|x|>", kFrame)[0].text, "<|999|> and <|x|>")
      << "no coordinate, so text";
}

TEST(MiniPage, ABoxBeyondTheCoordinatesEndsAtTheLastOne) {
  Block block;
  block.text = "far";
  block.box_pt = {0, 0, 5000, 7000};
  EXPECT_EQ(kDialect->render_block(block, kFrame), "<|text|><|0|><|0|>far<|195|><|195|>");
}

}  // namespace
}  // namespace docspec
