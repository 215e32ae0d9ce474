#include "core/markup/models/otsl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "core/markup/base/table.h"

namespace docspec {
namespace {

const PageFrame kFrame{600, 800, 1204, 1596};
const auto kDialect = make_otsl_dialect();

std::string html_of(const std::string& text) {
  for (const Block& block : kDialect->parse_page(text, kFrame))
    if (block.html) return *block.html;
  return "";
}

/// A table of so many places, cut into random rectangles; each place belongs to one cell.
Table random_table(std::mt19937& rng) {
  const size_t rows = 1 + rng() % 5, columns = 1 + rng() % 5;
  std::vector<std::vector<bool>> taken(rows, std::vector<bool>(columns));
  Table table;
  int number = 0;
  for (size_t r = 0; r < rows; ++r) {
    auto& row = table.rows.emplace_back();
    for (size_t c = 0; c < columns; ++c) {
      if (taken[r][c]) continue;
      size_t width = 1, height = 1;
      while (c + width < columns && !taken[r][c + width] && rng() % 4 == 0) ++width;
      while (r + height < rows && rng() % 4 == 0) ++height;
      for (size_t i = r; i < r + height; ++i)
        for (size_t j = c; j < c + width; ++j) taken[i][j] = true;
      const std::string text = rng() % 5 == 0 ? "" : "cell " + std::to_string(++number) + " < 3";
      row.push_back({text, int(width), int(height)});
    }
  }
  return table;
}

TEST(Otsl, ReadsThePublishedTags) {
  EXPECT_EQ(html_of("<fcel>a<fcel>b<nl><fcel>1<ecel><nl>"),
            "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td></td></tr></table>");
  EXPECT_EQ(html_of("<fcel>wide<lcel><fcel>high<nl><fcel>1<fcel>2<ucel><nl>"),
            "<table><tr><td colspan=\"2\">wide</td><td rowspan=\"2\">high</td></tr>"
            "<tr><td>1</td><td>2</td></tr></table>");
  EXPECT_EQ(html_of("<fcel>both<lcel><nl><ucel><xcel><nl><fcel>1<fcel>2<nl>"),
            "<table><tr><td colspan=\"2\">both</td></tr>"
            "<tr><td>1</td><td>2</td></tr></table>");
}

TEST(Otsl, ParseOfRenderGivesTheTableBack) {
  std::mt19937 rng(5);
  for (int round = 0; round < 500; ++round) {
    const Table table = random_table(rng);
    if (std::any_of(table.rows.begin(), table.rows.end(),
                    [](const auto& row) { return row.empty(); }))
      continue;  // HTML has no such rows
    Block block;
    block.kind = RegionKind::table;
    block.html = render_html_table(table);
    const std::string text = kDialect->render_block(block, kFrame);
    EXPECT_EQ(html_of(text), *block.html) << text;
  }
}

TEST(Otsl, ATableCutAnywhereKeepsItsWordsAndShowsNoTag) {
  const std::string whole = "Before.\n\n<fcel>one<lcel><nl><fcel>two<fcel>three<nl>after";
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    std::string text;
    for (const Block& block : kDialect->parse_page(whole.substr(0, cut), kFrame))
      text += block.text + " " + block.html.value_or("");
    for (const char* word : {"Before", "one", "two", "three", "after"}) {
      const size_t at = whole.find(word);
      if (at + std::string(word).size() <= cut) {
        EXPECT_NE(text.find(word), std::string::npos) << cut << ": " << text;
      }
    }
    EXPECT_EQ(text.find("<fcel>"), std::string::npos) << cut;
    EXPECT_EQ(text.find("<nl>"), std::string::npos) << cut;
  }
}

TEST(Otsl, WhatIsNoTableIsMarkdown) {
  const auto blocks = kDialect->parse_page("# Title\n\nSome words.", kFrame);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].kind, RegionKind::title);
  EXPECT_EQ(blocks[1].text, "Some words.");
}

}  // namespace
}  // namespace docspec
