#include "core/document/page_blocks.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

struct Part {
  RegionKind kind;
  Box box;
  std::string text;
  int height_px = 100;
};

std::vector<Block> blocks_of(const std::vector<Part>& parts) {
  PageDrafts page{1, 600, 800, 72, {}, {}};
  for (const Part& part : parts) {
    const int n = int(page.regions.size());
    page.regions.push_back({n, n, part.kind, part.box, 1});
    Word word{"w", {part.box.x0, part.box.y0, part.box.x1, part.box.y0 + part.height_px}};
    page.drafts.push_back({n, "text-layer", part.text, 1, {word}});
  }
  return page_blocks(page).blocks;
}

constexpr Box kLeft{10, 500, 290, 780}, kRight{310, 20, 590, 200};
using enum RegionKind;

TEST(PageBlocks, JoinsAParagraphThatGoesOnInTheNextColumn) {
  const auto blocks = blocks_of({{text, kLeft, "drops on the glass of the left"},
                                 {text, kRight, "camera were taken for birds."},
                                 {text, {310, 220, 590, 300}, "Then it ended."}});
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].text, "drops on the glass of the left camera were taken for birds.");
  EXPECT_EQ(blocks[0].box_pt.x1, 290) << "the box of the first part";
  EXPECT_EQ(blocks[1].order, 1);
  EXPECT_EQ(blocks_of({{text, kLeft, "a hyphen-"}, {text, kRight, "ated word"}})[0].text,
            "a hyphenated word");
}

TEST(PageBlocks, ANoteAtTheFootOfAColumnStandsAfterTheParagraphThatGoesOn) {
  const auto count = [](const Box& foot, int height_px, const std::string& note) {
    return blocks_of({{text, {10, 500, 290, 700}, "the tides of a har-"},
                      {text, foot, note, height_px},
                      {text, kRight, "bour are low."}});
  };
  const std::string notice = "Appearing in Proceedings of the Society.";
  const auto blocks = count({10, 710, 290, 780}, 80, notice);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].text, "the tides of a harbour are low.");
  EXPECT_EQ(blocks[1].text, notice);
  EXPECT_EQ(count({10, 810, 290, 880}, 100, notice).size(), 2u) << "set apart";
  EXPECT_EQ(count({10, 710, 290, 780}, 100, notice).size(), 3u) << "the next paragraph";
  EXPECT_EQ(count({310, 710, 590, 780}, 80, notice).size(), 3u) << "of the other column";
}

TEST(PageBlocks, AFormulaThatAModelReadIsLatexWithAndWithoutItsMarks) {
  const auto latex = [](const char* source, const char* read) {
    PageDrafts page{1, 600, 800, 72, {{0, 0, formula, kLeft, 1}}, {{0, source, read, 1, {}}}};
    return page_blocks(page).blocks.at(0).latex.value_or("none");
  };
  EXPECT_EQ(latex("verified", "\\[ x^2 \\]"), "x^2");
  EXPECT_EQ(latex("verified", "\\frac{1}{2}"), "\\frac{1}{2}");
  EXPECT_EQ(latex("verified", "words"), "none");
  EXPECT_EQ(latex("tesseract", "x_2"), "none");
}

TEST(PageBlocks, ASectionWithPartsIsNoTitle) {
  const auto level = [](const std::string& title, const std::string& part) {
    const Box first{10, 20, 290, 40}, second{10, 60, 290, 80};
    return blocks_of(
               {{RegionKind::title, first, title}, {RegionKind::section_header, second, part}})
        .at(0)
        .level;
  };
  EXPECT_EQ(level("3 Architecture", "3.1 Overview"), 2);
  EXPECT_EQ(level("3 Architecture", "4.1 Overview"), 1);
  EXPECT_EQ(level("Architecture", "3.1 Overview"), 1);
}

TEST(PageBlocks, ASentenceInChineseGoesOnInTheNextColumn) {
  const std::string open = "书记急忙问道，因为卡贝什吓得从他身旁跳开了，他",
                    rest = "一下子如坠深渊。";
  const auto joined = blocks_of({{text, kLeft, open}, {text, kRight, rest}});
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].text, open + rest);
  EXPECT_EQ(blocks_of({{text, kLeft, open + "。"}, {text, kRight, rest}}).size(), 2u);
  EXPECT_EQ(blocks_of({{text, kLeft, open}, {text, kRight, "“" + rest}}).size(), 2u);
  EXPECT_EQ(blocks_of({{text, kLeft, open}, {text, kRight, "世界"}}).size(), 2u) << "a label";
}

TEST(PageBlocks, LeavesOtherNeighboursApart) {
  const std::string open = "drops on the glass of the left", rest = "camera were taken for birds.";
  EXPECT_EQ(blocks_of({{text, kLeft, open + "."}, {text, kRight, rest}}).size(), 2u);
  EXPECT_EQ(blocks_of({{text, kLeft, open}, {text, kRight, "Camera"}}).size(), 2u);
  EXPECT_EQ(blocks_of({{text, kLeft, open}, {text, kRight, rest, 80}}).size(), 2u);
  EXPECT_EQ(blocks_of({{text, kLeft, open}, {caption, kRight, rest}}).size(), 2u);
  EXPECT_EQ(blocks_of({{text, {10, 20, 290, 90}, open}, {text, {10, 120, 290, 190}, rest}}).size(),
            2u)
      << "one column";
}

TEST(PageBlocks, KnowsWhereThePagesTextStandsInAPicture) {
  const auto stands = [](size_t in_picture, size_t beside, RegionKind kind = text) {
    PageDrafts drafts;
    drafts.regions = {{0, 0, RegionKind::picture, {0, 0, 90, 90}}, {1, 1, kind, {0, 90, 90, 99}}};
    drafts.drafts.resize(2);
    drafts.drafts[0].region = 0, drafts.drafts[1].region = 1;
    drafts.drafts[0].words.resize(in_picture, Word{"word", {}});
    drafts.drafts[1].words.resize(beside, Word{"text", {}});
    if (beside == 1)
      for (int i = 0; i < 100; ++i) drafts.drafts[1].words[0].text += "阻";
    return stands_in_pictures(drafts);
  };
  EXPECT_TRUE(stands(50, 10));
  EXPECT_FALSE(stands(50, 60));
  EXPECT_FALSE(stands(50, 10, RegionKind::caption)) << "a page of a figure";
  EXPECT_FALSE(stands(15, 2)) << "labels of a chart";
  EXPECT_FALSE(stands(21, 1)) << "a long line of Chinese is one word";
}

TEST(PageBlocks, TakesHeadingLevelsFromNumbersElseFromSizes) {
  const auto blocks = blocks_of({{title, {0, 0, 9, 9}, "Counting", 200},
                                 {section_header, {0, 10, 9, 19}, "Large", 140},
                                 {section_header, {0, 20, 9, 29}, "Small", 110},
                                 {section_header, {0, 30, 9, 39}, "Large too", 141},
                                 {section_header, {0, 40, 9, 49}, "3.1. Numbered", 140}});
  std::vector<int> levels;
  for (const Block& block : blocks) levels.push_back(*block.level);
  EXPECT_EQ(levels, (std::vector<int>{1, 2, 3, 2, 3}));
}

}  // namespace
}  // namespace docspec
