// Headings of one kind that were told from each other on reports and lecture notes (seed 101).
#include <gtest/gtest.h>

#include "drafts/layout/settle_headings.h"
#include "drafts/regions/line_layout.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed101Headings, AHeadingBelowTheTitleIsOneAsThoseInItsLettersFurtherDownAre) {
  for (const bool others : {true, false}) {
    PdfPage page;
    page.lines.push_back({72, 740, "Notes to the Accounts", 22, "F4"});
    page.lines.push_back({72, 690, "NOTE 13 - OTHER LIABILITIES", 14, "F4"});
    add_prose(page, 72, 665, 8);
    page.lines.push_back(
        {72, 520, others ? "NOTE 14 - ROYALTIES" : test::kProse, others ? 14. : 10., "F4"});
    add_prose(page, 72, 495, 20);
    const std::string markdown = markdown_of(page);
    (others ? expect_has : expect_lacks)(markdown, "# NOTE 13");
  }
}

TEST(PageSeed101Headings, TheBoldOpeningOfAParagraphIsNoneOfALargerHeadingAboveIt) {
  PdfPage page;
  add_prose(page, 72, 740, 10);
  page.lines.push_back(
      {72, 590, "3.4 Additional Optimizations of Tilings and Their Parts", 11, "F5"});
  page.lines.push_back({72, 577, "Duplication of arrays.", 10, "F5"});
  page.lines.push_back({185, 577, "As the example in the figure shows, some of", 10, "F4"});
  add_prose(page, 72, 564, 20);
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "# 3.4 Additional Optimizations of Tilings and Their Parts\n");
  expect_has(markdown, "**Duplication of arrays**. As");
}

TEST(PageSeed101Headings, TwoLinesNumberedOnAboveProseAreHeadings) {
  for (const bool counts : {true, false}) {
    PdfPage page;
    add_prose(page, 72, 740, 6);
    page.lines.push_back({72, 640, "5.4.10 Uncertainty Analysis", 10});
    add_prose(page, 72, 614, 12);
    page.lines.push_back({72, 436, counts ? "5.4.11 Sensitivity" : "7.2.30 Sensitivity", 10});
    add_prose(page, 72, 410, 20);
    const std::string markdown = markdown_of(page);
    (counts ? expect_has : expect_lacks)(markdown, "# 5.4.10 Uncertainty");
    (counts ? expect_has : expect_lacks)(markdown, "# 5.4.11 Sensitivity");
  }
}

/// A region of one line a row, and the line; the words of a row have the fonts given.
struct Rows {
  std::vector<Word> words;
  std::vector<TextLine> lines;
  std::vector<Region> regions;
  std::vector<int> first;
  std::vector<size_t> rows;

  void add(RegionKind kind, int x, const std::vector<std::pair<const char*, const char*>>& own) {
    const int n = int(lines.size());
    TextLine& line = lines.emplace_back();
    line.size_px = 20;
    for (const auto& [text, font] : own) {
      Word word;
      word.text = text, word.font = font, word.font_size_pt = 10;
      word.box = {x, 40 * n, x + 100, 40 * n + 20};
      x += 110;
      line.box = line.words.empty() ? word.box : unite(line.box, word.box);
      line.chars += word.text.size() / 2;
      line.words.push_back(int(words.size()));
      words.push_back(word);
    }
    regions.push_back({n, n, kind, line.box, 1});
    first.push_back(n), rows.push_back(1);
  }
  std::vector<RegionKind> settled() {
    settle_numbered_lines(regions, lines, first, rows, words);
    std::vector<RegionKind> kinds;
    for (const Region& region : regions) kinds.push_back(region.kind);
    return kinds;
  }
};

TEST(PageSeed101Headings, ALineThatFillsAGapInTheNumbersOfHeadingsIsOne) {
  constexpr auto kText = RegionKind::text, kHead = RegionKind::section_header;
  for (const char* const font : {"Arial-BoldMT", "ArialMT"}) {
    Rows page;
    page.add(kText, 60, {{"五、Queries", "SimSun"}});
    page.add(kText, 100, {{"1、Ranking", font}, {"的难点：", "SimSun"}});
    page.add(kText, 140, {{"一个查询可以代表非常不同的信息需求", "SimSun"}});
    page.add(kHead, 100, {{"2、查询表达的优化：", font}});
    page.add(kText, 140, {{"3、个查询可以代表不同的信息", "SimSun"}});
    const auto found = std::string(font) == "Arial-BoldMT" ? kHead : kText;
    EXPECT_EQ(page.settled(), (std::vector{found, found, kText, kHead, kText})) << font;
  }
}

TEST(PageSeed101Headings, TheTitleOfASlideIsRoughlyAsLargeForOcrAsItsLargestLetters) {
  const std::string texts[] = {
      "13.9 描述当逻辑时对微处理器的",  "控制器的作用。",
      "引脚为输入引脚，用于请求操作，", "引脚为输出引脚，用于响应操作，",
      "说明微处理器没有收到请求，",     "微处理器正常工作，拥有总线的权。"};
  for (const double first : {1.2, 0.95}) {  // of the size of the text
    const double sizes[] = {first, 1.27, 1, 1, 1, 1};
    std::vector<Word> words;
    for (int row = 0; row < 6; ++row) {
      Word word;
      word.text = texts[row];
      word.font_size_pt = 20 * sizes[row];
      const int y = row < 2 ? 80 + 60 * row : 160 + 100 * row;
      word.box = {60, y, 60 + 16 * int(word.text.size()), y + int(44 * sizes[row])};
      word.line = row + 1;
      words.push_back(word);
    }
    PageInput page{2, 1125, 843, 144, nullptr, {}, {}, {}};
    page.words = words;
    const std::vector<Region> regions = make_line_layout()->detect(page);
    ASSERT_FALSE(regions.empty());
    EXPECT_EQ(regions.front().kind == RegionKind::section_header, first > 1) << first;
  }
}

}  // namespace
}  // namespace docspec
