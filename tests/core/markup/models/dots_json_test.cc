#include "core/markup/models/dots_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace docspec {
namespace {

const PageFrame kFrame{600, 800, 1204, 1596};
const auto kDialect = make_dots_json_dialect();

// The form of a published answer of dots.ocr.
constexpr char kPage[] =
    R"([{"bbox": [147, 75, 636, 127], "category": "Text", "text": "not have to readjust, \"so\" to say"}, )"
    R"({"bbox": [649, 70, 1138, 139], "category": "Section-header", "text": "### 2 Towards \\& from"}, )"
    R"({"bbox": [1, 2, 3, 4], "category": "Picture"}, )"
    R"({"bbox": [10, 20, 30, 40], "category": "Formula", "text": "$$\\hat{x} \\times 2$$"}, )"
    R"({"bbox": [5, 6, 7, 8], "category": "Table", "text": "<table><tr><td>left</td><td>3.5</td></tr></table>"}, )"
    R"({"bbox": [5, 9, 70, 80], "category": "List-item", "text": "* **A:** one\n* **B:** two\n  tail\n3. three"}, )"
    R"({"bbox": [1, 1, 2, 2], "category": "Page-footer", "text": "日本 — 12"}])";

std::vector<Block> parsed(std::string_view text) {
  return kDialect->parse_page(text, kFrame);
}

std::string all_text(std::string_view answer) {
  std::string out;
  for (const Block& block : parsed(answer)) out += block.text + " ";
  return out;
}

TEST(DotsJson, ReadsThePublishedForm) {
  const auto blocks = parsed(kPage);
  ASSERT_EQ(blocks.size(), 9u);
  EXPECT_EQ(blocks[0].text, "not have to readjust, \"so\" to say");
  EXPECT_EQ(kFrame.to_frame(blocks[0].box_pt), (Box{147, 75, 636, 127}));
  EXPECT_EQ(blocks[1].kind, RegionKind::section_header);
  EXPECT_EQ(blocks[1].level, 3);
  EXPECT_EQ(blocks[1].text, "2 Towards \\& from");
  EXPECT_EQ(blocks[2].kind, RegionKind::picture);
  EXPECT_EQ(blocks[3].latex, "\\hat{x} \\times 2");
  EXPECT_EQ(blocks[4].html, "<table><tr><td>left</td><td>3.5</td></tr></table>");
  EXPECT_EQ(blocks[5].text, "**A:** one");
  EXPECT_EQ(blocks[6].text, "**B:** two\n  tail");
  EXPECT_EQ(blocks[7].text, "3. three");
  EXPECT_EQ(blocks[7].kind, RegionKind::list_item);
  EXPECT_EQ(blocks[8].kind, RegionKind::page_footer);
  for (size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(blocks[i].order, int(i));
}

std::string random_text(std::mt19937& rng) {
  const char* words[] = {"a", "\"q\"", "\\hat", "{", "}]", "日本", "a\tb", "\x01", "], [", "\","};
  std::string out = "w";
  for (size_t n = rng() % 6; n > 0; --n)
    out += std::string(rng() % 5 ? " " : "\n") + words[rng() % std::size(words)];
  return out;
}

Block random_block(std::mt19937& rng) {
  Block block;
  block.kind = RegionKind(rng() % 11);  // all but Code
  if (block.kind != RegionKind::picture) block.text = random_text(rng);
  if (block.kind == RegionKind::section_header) block.level = 1 + int(rng() % 6);
  if (block.kind == RegionKind::formula) block.latex = block.text = "x^{2} < \\frac{y}{z}";
  if (block.kind == RegionKind::table) {
    block.html = "<table><tr><th>h</th><td colspan=\"2\">a &amp; b</td></tr></table>";
    block.text = "h a & b";
  }
  const int x = 1 + int(rng() % 500), y = int(rng() % 700);
  block.box_pt = kFrame.to_points({x, y, x + 9, y + 8});
  return block;
}

TEST(DotsJson, ParseOfRenderGivesTheBlocksBack) {
  std::mt19937 rng(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<Block> blocks;
    for (size_t n = rng() % 8; n > 0; --n) blocks.push_back(random_block(rng));
    const std::string text = kDialect->render_page(blocks, kFrame);
    ASSERT_EQ(nlohmann::json::parse(text).size(), blocks.size()) << "it is JSON";
    const auto back = parsed(text);
    ASSERT_EQ(back.size(), blocks.size()) << text;
    for (size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(back[i].kind, blocks[i].kind) << text;
      EXPECT_EQ(back[i].text, blocks[i].text) << text;
      EXPECT_EQ(back[i].latex, blocks[i].latex);
      EXPECT_EQ(back[i].html, blocks[i].html);
      EXPECT_EQ(back[i].level, blocks[i].level);
      EXPECT_EQ(kFrame.to_frame(back[i].box_pt), kFrame.to_frame(blocks[i].box_pt));
    }
  }
}

TEST(DotsJson, ADraftIsTheElementAsTheModelWritesIt) {
  Block block;
  block.text = "a \"b\" \\x é";
  block.box_pt = kFrame.to_points({1, 2, 3, 4});
  EXPECT_EQ(kDialect->render_block(block, kFrame),
            R"({"bbox": [1, 2, 3, 4], "category": "Text", "text": "a \"b\" \\x é"})");
  EXPECT_EQ(kDialect->render_block(block, {}), R"({"category": "Text", "text": "a \"b\" \\x é"})");
  block.kind = RegionKind::code;
  EXPECT_EQ(kDialect->render_block(block, {}), R"({"category": "Text", "text": "a \"b\" \\x é"})");
  block.kind = RegionKind::picture;
  EXPECT_EQ(kDialect->render_block(block, kFrame),
            R"({"bbox": [1, 2, 3, 4], "category": "Picture"})");
  block.kind = RegionKind::text;
  block.text = "\xff";
  EXPECT_NO_THROW(kDialect->render_block(block, kFrame)) << "bytes that are no UTF-8";
}

TEST(DotsJson, TruncatedPagesLoseNothingButTheOpenMark) {
  const std::string page(kPage);
  const std::string words[] = {"readjust", "Towards", "hat", "left", "one", "two", "tail", "three"};
  for (size_t length = 0; length <= page.size(); ++length) {
    const std::string text = all_text(page.substr(0, length));
    for (const std::string& word : words)
      if (page.find(word) + word.size() <= length) {
        EXPECT_NE(text.find(word), std::string::npos) << word << " is lost at " << length;
      }
  }
}

TEST(DotsJson, BrokenAndForeignTextIsKept) {
  EXPECT_EQ(all_text("plain words [1], {x}"), "plain words [1], {x} ");
  EXPECT_EQ(all_text("```json\n[{\"category\": \"Text\", \"text\": \"a\"}]\n```"), "a ");
  EXPECT_EQ(all_text("Here: [{\"text\": \"a\"}] done"), "Here: [ a ] done ");
  EXPECT_EQ(all_text("{\"layout\": [{\"text\": \"a\"}, {\"text\": \"b\"}]}"), "a b ");
  EXPECT_EQ(all_text("[{\"text\": \"he said \"hi\" to me\"}, {\"text\": \"b\"}]"),
            "he said \"hi\" to me b ");
  EXPECT_EQ(all_text("[{\"text\": \"$\\hat{x}$\nnext\"}]"), "$\\hat{x}$\nnext ");
  EXPECT_EQ(all_text("[{\"text\": \"a\" {\"text\": \"b\"}"), "a\" {\"text\nb ");
  EXPECT_EQ(all_text("[{\"text\": [\"a\", \"b\"]}, {\"words\": \"c\"}, {\"text\": 2024}]"),
            "a\nb c 2024 ");
  EXPECT_EQ(all_text("[{\"text\": \"\\u00e9\\ud83d\\ude00\\ud83d\"}]"), "é😀\\ud83d ");
  EXPECT_EQ(
      all_text("[{\"category\": \"Table\", \"text\": \"Tab. 1 <table><tr><td>c</table> n\"}]"),
      "Tab. 1  c  n ");
  EXPECT_EQ(all_text(""), "");
  EXPECT_EQ(all_text("[{\"bbox\": [1, 2"), "");
  const auto odd =
      parsed("[{\"bbox\": [1.4, 2, 3, 4.6], \"category\": \"Sidebar\", \"text\": \"s\"}]");
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_EQ(odd[0].kind, RegionKind::text);
  EXPECT_EQ(kFrame.to_frame(odd[0].box_pt), (Box{1, 2, 3, 5}));
  EXPECT_TRUE(parsed("[{\"bbox\": [1, 2, 3], \"text\": \"s\"}]")[0].box_pt == PointBox{});
}

TEST(DotsJson, SeveralFormulasOfOneElementStay) {
  const auto blocks = parsed(R"([{"category": "Formula", "text": "$$a$$\n$$b$$"}])");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].text, "$$a$$\n$$b$$");
  EXPECT_FALSE(blocks[0].latex.has_value());
}

TEST(DotsJson, RandomBytesAreParsed) {
  std::mt19937 rng(9);
  const std::string page(kPage);
  for (int i = 0; i < 500; ++i) {
    std::string text = page;
    for (int n = 0; n < 20; ++n) text[rng() % text.size()] = char(rng());
    EXPECT_FALSE(parsed(text).empty());
  }
  EXPECT_TRUE(parsed(std::string(200'000, '{')).empty());
  EXPECT_TRUE(parsed(std::string(200'000, '[')).empty());
}

}  // namespace
}  // namespace docspec
