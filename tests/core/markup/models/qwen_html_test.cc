#include "core/markup/models/qwen_html.h"

#include <gtest/gtest.h>

#include <random>

namespace docspec {
namespace {

const PageFrame kFrame{600, 800, 1204, 1596};
const auto kDialect = make_qwen_html_dialect();

// What Qwen2.5-VL answers (form of cookbooks/document_parsing.ipynb).
constexpr char kPage[] =
    "```html\n<html><body>\n<h2 data-bbox=\"310 94 658 132\">Qwen2.5 Technical Report</h2> \n "
    "<p data-bbox=\"10 140 900 200\">Large &amp; small: a &lt; b<br>second line</p> \n "
    "<ol><li data-bbox=\"90 210 884 230\">one</li><li data-bbox=\"90 240 884 260\">two</li></ol> "
    "\n "
    "<div class=\"image\" data-bbox=\"10 300 90 400\"><img data-bbox=\"10 300 90 400\"/></div> \n "
    "<table data-bbox=\"1 2 3 4\"><tr><td colspan=\"2\">a</td></tr><tr><td>b</td><td>c</td></tr>"
    "</table> \n <div class=\"formula\" data-bbox=\"5 6 7 8\"><img data-bbox=\"5 6 7 8\"/>"
    "<div>$$x^2 &lt; y$$</div></div>\n</body></html>\n```";

TEST(QwenHtml, ReadsThePublishedForm) {
  const auto blocks = kDialect->parse_page(kPage, kFrame);
  ASSERT_EQ(blocks.size(), 7u);
  EXPECT_EQ(blocks[0].kind, RegionKind::section_header);
  EXPECT_EQ(blocks[0].level, 2);
  EXPECT_EQ(blocks[0].text, "Qwen2.5 Technical Report");
  EXPECT_EQ(kFrame.to_frame(blocks[0].box_pt), (Box{310, 94, 658, 132}));
  EXPECT_EQ(blocks[1].text, "Large & small: a < b\nsecond line");
  EXPECT_EQ(blocks[3].kind, RegionKind::list_item);
  EXPECT_EQ(blocks[3].text, "two");
  EXPECT_EQ(blocks[4].kind, RegionKind::picture);
  EXPECT_EQ(blocks[5].html,
            "<table><tr><td colspan=\"2\">a</td></tr><tr><td>b</td><td>c</td></tr></table>");
  EXPECT_EQ(blocks[6].latex, "x^2 < y");
  for (size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(blocks[i].order, int(i));
}

std::string random_text(std::mt19937& rng) {
  const char* words[] = {"a",     "<b",   "c>d", "&amp;", "x & y", "<int>",
                         "\"q\"", "日本", "1.",  "</p>",  "`",     "$"};
  std::string out = "w";
  for (size_t n = rng() % 6; n > 0; --n)
    out += std::string(rng() % 5 ? " " : "\n") + words[rng() % 12];
  return out;
}

TEST(QwenHtml, ParseOfRenderGivesTheBlocksBack) {
  std::mt19937 rng(5);
  const RegionKind kinds[] = {
      RegionKind::title, RegionKind::section_header, RegionKind::text,    RegionKind::list_item,
      RegionKind::table, RegionKind::formula,        RegionKind::picture, RegionKind::code};
  for (int round = 0; round < 300; ++round) {
    std::vector<Block> blocks;
    for (size_t n = rng() % 8; n > 0; --n) {
      Block block;
      block.kind = kinds[rng() % 8];
      block.text = random_text(rng);
      if (block.kind == RegionKind::section_header) block.level = 2 + int(rng() % 5);
      if (block.kind == RegionKind::formula)
        block.latex = block.text = "x^{" + std::to_string(n) + "} < y & z";
      if (block.kind == RegionKind::table) {
        block.html = "<table><tr><th>h</th><td>a &amp; b</td></tr></table>";
        block.text = "h a & b";
      }
      const int x = int(rng() % 500), y = int(rng() % 700);
      block.box_pt = kFrame.to_points({x, y, x + 9, y + 8});
      blocks.push_back(block);
    }
    const std::string text = kDialect->render_page(blocks, kFrame);
    const auto back = kDialect->parse_page(text, kFrame);
    ASSERT_EQ(back.size(), blocks.size()) << text;
    for (size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(back[i].kind, blocks[i].kind) << text;
      EXPECT_EQ(back[i].text, blocks[i].text) << text;
      EXPECT_EQ(back[i].latex, blocks[i].latex);
      EXPECT_EQ(back[i].html, blocks[i].html);
      EXPECT_EQ(kFrame.to_frame(back[i].box_pt), kFrame.to_frame(blocks[i].box_pt));
      if (blocks[i].level) {
        EXPECT_EQ(back[i].level, blocks[i].level);
      }
    }
  }
}

TEST(Qwen3Html, BoxesAreThousandthsOfTheImage) {
  const auto dialect = make_qwen3_html_dialect();
  const auto blocks = dialect->parse_page("<h2 data-bbox=\"100 250 900 500\">A</h2>", kFrame);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].box_pt, (PointBox{60, 200, 540, 400}));
  EXPECT_EQ(dialect->render_block(blocks[0], kFrame), "<h2 data-bbox=\"100 250 900 500\">A</h2>");
  const std::string page = dialect->render_page(blocks, kFrame);
  EXPECT_NE(page.find("data-bbox=\"100 250 900 500\""), std::string::npos);
  for (size_t cut = page.find("<h2"); cut <= page.find("</body>"); ++cut)
    for (const Block& block : dialect->parse_page(page.substr(0, cut), kFrame))
      EXPECT_EQ(block.text, "A") << cut;
  EXPECT_EQ(dialect->render_block(blocks[0], {600, 800, 0, 0}), "<h2>A</h2>");
}

TEST(QwenHtml, ADraftIsTheBlockAsTheModelWritesIt) {
  Block block;
  block.text = "a & \"b\"";
  block.box_pt = kFrame.to_points({1, 2, 3, 4});
  EXPECT_EQ(kDialect->render_block(block, kFrame), "<p data-bbox=\"1 2 3 4\">a &amp; \"b\"</p>");
  block.kind = RegionKind::page_footer;
  EXPECT_EQ(kDialect->render_block(block, kFrame), "<p data-bbox=\"1 2 3 4\">a &amp; \"b\"</p>");
  EXPECT_EQ(kDialect->render_block(block, {}), "<p>a &amp; \"b\"</p>") << "no pixels, no box";
}

std::string all_text(const std::vector<Block>& blocks) {
  std::string out;
  for (const Block& block : blocks) out += block.text + " ";
  return out;
}

TEST(QwenHtml, TruncatedPagesLoseNothingButTheOpenTag) {
  const std::string page(kPage);
  const std::string words[] = {"Technical", "Large", "second", "one", "two", "x^2"};
  for (size_t length = 0; length <= page.size(); ++length) {
    const std::string text = all_text(kDialect->parse_page(page.substr(0, length), kFrame));
    for (const std::string& word : words)
      if (page.find(word) + word.size() <= length) {
        EXPECT_NE(text.find(word), std::string::npos) << word << " is lost at " << length;
      }
  }
}

TEST(QwenHtml, BrokenAndForeignTextIsKept) {
  const auto text_of = [](const char* page) {
    return all_text(kDialect->parse_page(page, kFrame));
  };
  EXPECT_EQ(text_of("no tags at all"), "no tags at all ");
  EXPECT_EQ(text_of("Here it is: ```html\n<p>a</p>```"), "Here it is: a ");
  EXPECT_EQ(text_of("<p>vector<int> v; a <y and z"), "vector<int> v; a <y and z ");
  EXPECT_EQ(text_of("<div><b>bold</b> tail<p>par</p>end</div>"), "bold tail par end ");
  EXPECT_EQ(text_of("<p>x<table><tr><td>c</td></tr></table>"), "x c ");
  EXPECT_EQ(text_of("<table>loose"), "loose ");
  EXPECT_EQ(text_of("<h1>t<p>u"), "t u ");
  EXPECT_EQ(text_of("<li>alone"), "alone ");
  EXPECT_EQ(text_of(""), "");
  const auto caption = kDialect->parse_page(
      "<div class=\"image caption\" data-bbox=\"1 2 3 4\">"
      "<img data-bbox=\"1 2 3 4\"/><p>Fig. 1</p></div>",
      kFrame);
  ASSERT_EQ(caption.size(), 1u);
  EXPECT_EQ(caption[0].text, "Fig. 1");
  EXPECT_TRUE(kDialect->parse_page("<p data-bbox=\"1 2\">a</p>", kFrame)[0].box_pt == PointBox{});
}

TEST(QwenHtml, RandomBytesAreParsed) {
  std::mt19937 rng(9);
  const std::string page(kPage);
  for (int i = 0; i < 500; ++i) {
    std::string text = page;
    for (int n = 0; n < 20; ++n) text[rng() % text.size()] = char(rng());
    EXPECT_FALSE(kDialect->parse_page(text, kFrame).empty());
  }
}

}  // namespace
}  // namespace docspec
