#include "core/markup/models/chandra_html.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace docspec {
namespace {

const PageFrame kFrame{1024, 2048, 700, 1400};
const auto kDialect = make_chandra_html_dialect(), kSecond = make_chandra2_html_dialect();

TEST(ChandraHtml, ReadsThePublishedForm) {
  const auto blocks = kDialect->parse_page(
      "<div data-bbox=\"[100, 50, 900, 80]\" data-label=\"Section-Header\"><h1>A title</h1></div>\n"
      "<div data-bbox=\"[100, 90, 900, 200]\" data-label=\"Text\"><p>Words with "
      "<math>x^2</math> inside,<br/>two lines.</p></div>"
      "<div data-bbox=\"[0, 0, 10, 10]\" data-label=\"Equation-Block\">"
      "<math display=\"block\">y = x</math></div>"
      "<div data-bbox=\"[1, 2, 3, 4]\" data-label=\"List-Group\"><ul><li>one</li><li>two</li></ul>"
      "</div><div data-bbox=\"[1, 2, 3, 4]\" data-label=\"Table\"><table><tr><td>a</td>"
      "<td colspan=\"2\">b</td></tr></table></div>"
      "<div data-bbox=\"[1, 2, 3, 4]\" data-label=\"Image\"><img alt=\"A ship\"/></div>"
      "<div data-bbox=\"[1, 2, 3, 4]\" data-label=\"Page-Footer\"><p>7</p></div>",
      kFrame);
  ASSERT_EQ(blocks.size(), 8u);
  EXPECT_EQ(blocks[0].kind, RegionKind::title);
  EXPECT_EQ(blocks[0].box_pt, (PointBox{100, 100, 900, 160}));
  EXPECT_EQ(blocks[1].text, "Words with $x^2$ inside,\ntwo lines.");
  EXPECT_EQ(blocks[2].latex, "y = x");
  EXPECT_EQ(blocks[3].kind, RegionKind::list_item);
  EXPECT_EQ(blocks[4].text, "two");
  EXPECT_EQ(blocks[5].html, "<table><tr><td>a</td><td colspan=\"2\">b</td></tr></table>");
  EXPECT_EQ(blocks[6].kind, RegionKind::picture);
  EXPECT_EQ(blocks[6].text, "A ship");
  EXPECT_EQ(blocks[7].kind, RegionKind::page_footer);
}

TEST(ChandraHtml, ParseOfRenderGivesTheBlocksBack) {
  std::mt19937 rng(11);
  const RegionKind kinds[] = {RegionKind::title,     RegionKind::section_header, RegionKind::text,
                              RegionKind::list_item, RegionKind::formula,        RegionKind::table,
                              RegionKind::caption,   RegionKind::page_header};
  for (int round = 0; round < 200; ++round) {
    std::vector<Block> blocks;
    for (size_t n = rng() % 6; n > 0; --n) {
      Block& b = blocks.emplace_back();
      b.kind = kinds[rng() % 8];
      b.text = "a < b & 3.5 %";
      b.box_pt = {double(rng() % 500), double(2 * (rng() % 500)), double(500 + rng() % 500), 2000};
      if (b.kind == RegionKind::section_header) b.level = 2 + int(rng() % 4);
      if (b.kind == RegionKind::formula) b.latex = "\\frac{1}{2} < x";
      if (b.kind == RegionKind::table)
        b.html = "<table><tr><td colspan=\"2\">a</td></tr><tr><td>b</td><td>c</td></tr></table>";
    }
    const auto parsed = kDialect->parse_page(kDialect->render_page(blocks, kFrame), kFrame);
    ASSERT_EQ(parsed.size(), blocks.size()) << "round " << round;
    for (size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(parsed[i].kind, blocks[i].kind) << "round " << round << ", block " << i;
      EXPECT_EQ(parsed[i].box_pt, blocks[i].box_pt);
      EXPECT_EQ(parsed[i].html, blocks[i].html);
      EXPECT_EQ(parsed[i].latex, blocks[i].latex);
      if (!blocks[i].html && !blocks[i].latex) {
        EXPECT_EQ(parsed[i].text, blocks[i].text);
      }
    }
  }
}

TEST(ChandraHtml, TheSecondVersionHasThousandthsWithoutBracketsAndMoreLabels) {
  const PageFrame frame{1000, 2000, 700, 1400};
  const auto blocks = kSecond->parse_page(
      "<div data-bbox=\"100 50 900 80\" data-label=\"Text\"><p>Water is "
      "<chem>O</chem>.</p></div>"
      "<div data-bbox=\"1 2 3 4\" data-label=\"Diagram\"><img alt=\"Steps\"/></div>"
      "<div data-bbox=\"1 2 3 4\" data-label=\"Bibliography\"><p>[1] A book</p></div>"
      "<div data-bbox=\"0 0 1000 1000\" data-label=\"Blank-Page\"><p>blank</p></div>",
      frame);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].box_pt, (PointBox{100, 100, 900, 160}));
  EXPECT_EQ(blocks[0].text, "Water is O.");
  EXPECT_EQ(blocks[1].kind, RegionKind::picture);
  EXPECT_EQ(blocks[2].text, "[1] A book");
  EXPECT_EQ(kSecond->render_block(blocks[0], frame),
            "<div data-bbox=\"100 50 900 80\" data-label=\"Text\"><p>Water is O.</p></div>");
}

TEST(ChandraHtml, APageCutAnywhereKeepsItsWords) {
  const std::string page =
      "<div data-bbox=\"[1, 2, 3, 4]\" data-label=\"Text\"><p>First words</p></div>"
      "<div data-bbox=\"[1, 2, 3, 4]\" data-label=\"Table\"><table><tr><td>cell</td></tr></table>";
  for (size_t cut = 0; cut <= page.size(); ++cut) {
    std::string text;
    for (const Block& b : kDialect->parse_page(page.substr(0, cut), kFrame)) text += b.text;
    EXPECT_EQ(text.find("data-"), std::string::npos) << cut;
    if (cut > page.find("words") + 5) {
      EXPECT_NE(text.find("First words"), std::string::npos) << cut;
    }
  }
}

}  // namespace
}  // namespace docspec
