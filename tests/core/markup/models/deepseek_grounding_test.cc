#include "core/markup/models/deepseek_grounding.h"

#include <gtest/gtest.h>

#include <random>

namespace docspec {
namespace {

const PageFrame kFrame{600, 800, 1024, 1024};
const PageFrame kSteps{600, 800, 999, 999};
const auto kDialect = make_deepseek_grounding_dialect();

// The form of a published answer.
constexpr char kPage[] =
    "<|ref|>title<|/ref|><|det|>[[330, 198, 558, 230]]<|/det|>\n# A title \n\n"
    "<|ref|>text<|/ref|><|det|>[[10, 20, 500, 60]]<|/det|>\nSome words with \\(x^2\\) inside. \n\n"
    "<|ref|>sub_title<|/ref|><|det|>[[10, 70, 300, 90]]<|/det|>\n### 2.1 Methods \n\n"
    "<|ref|>image<|/ref|><|det|>[[0, 100, 999, 300]]<|/det|>\n\n"
    "<|ref|>image_caption<|/ref|><|det|>[[5, 310, 400, 330]]<|/det|>\nFigure 1: circles \n\n"
    "<|ref|>equation<|/ref|><|det|>[[100, 340, 500, 360]]<|/det|>\n\\[\ny = x\n\\] \n\n"
    "<|ref|>table<|/ref|><|det|>[[5, 400, 900, 600]]<|/det|>\n"
    "<table><tr><td>left</td><td>3.5</td></tr></table> \n\n"
    "<|ref|>text<|/ref|><|det|>[[5, 610, 900, 700]]<|/det|>\n- one\n- two\n  tail \n\n"
    "<|ref|>footer<|/ref|><|det|>[[5, 950, 90, 999]]<|/det|>\n12 \n\n";

std::vector<Block> parsed(std::string_view text) {
  return kDialect->parse_page(text, kFrame);
}

std::string all_text(std::string_view answer) {
  std::string out;
  for (const Block& block : parsed(answer)) out += block.text + "|";
  return out;
}

TEST(DeepseekGrounding, ReadsThePublishedForm) {
  const auto blocks = parsed(kPage);
  ASSERT_EQ(blocks.size(), 10u);
  EXPECT_EQ(blocks[0].kind, RegionKind::title);
  EXPECT_EQ(blocks[0].text, "A title");
  EXPECT_EQ(kSteps.to_frame(blocks[0].box_pt), (Box{330, 198, 558, 230}));
  EXPECT_DOUBLE_EQ(blocks[3].box_pt.x1, 600) << "999 is the right edge";
  EXPECT_EQ(blocks[1].text, "Some words with \\(x^2\\) inside.");
  EXPECT_EQ(blocks[2].level, 3);
  EXPECT_EQ(blocks[2].text, "2.1 Methods");
  EXPECT_EQ(blocks[3].kind, RegionKind::picture);
  EXPECT_EQ(blocks[4].kind, RegionKind::caption);
  EXPECT_EQ(blocks[5].latex, "y = x");
  EXPECT_EQ(blocks[6].html, "<table><tr><td>left</td><td>3.5</td></tr></table>");
  EXPECT_EQ(blocks[7].kind, RegionKind::list_item);
  EXPECT_EQ(blocks[8].text, "two\n  tail");
  EXPECT_EQ(blocks[9].kind, RegionKind::page_footer);
  for (size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(blocks[i].order, int(i));
}

std::string random_text(std::mt19937& rng) {
  const char* words[] = {"a",    "\"q\"", "\\hat",    "<b>", "<|x|>",
                         "日本", "a\tb",  "[[1, 2]]", "|",   "#"};
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
  const int x = 1 + int(rng() % 900), y = int(rng() % 900);
  block.box_pt = kSteps.to_points({x, y, x + 9, y + 8});
  return block;
}

TEST(DeepseekGrounding, ParseOfRenderGivesTheBlocksBack) {
  std::mt19937 rng(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<Block> blocks;
    for (size_t n = rng() % 8; n > 0; --n) blocks.push_back(random_block(rng));
    const std::string text = kDialect->render_page(blocks, kFrame);
    const auto back = parsed(text);
    ASSERT_EQ(back.size(), blocks.size()) << text;
    for (size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(back[i].kind, blocks[i].kind) << text;
      EXPECT_EQ(back[i].text, blocks[i].text) << text;
      EXPECT_EQ(back[i].latex, blocks[i].latex);
      EXPECT_EQ(back[i].html, blocks[i].html);
      EXPECT_EQ(back[i].level, blocks[i].level);
      EXPECT_EQ(kSteps.to_frame(back[i].box_pt), kSteps.to_frame(blocks[i].box_pt));
    }
  }
}

TEST(DeepseekGrounding, ADraftIsTheElementAsTheModelWritesIt) {
  Block block;
  block.kind = RegionKind::section_header;
  block.text = "Methods";
  block.box_pt = kSteps.to_points({10, 20, 30, 40});
  EXPECT_EQ(kDialect->render_block(block, kFrame),
            "<|ref|>sub_title<|/ref|><|det|>[[10, 20, 30, 40]]<|/det|>\n## Methods");
  EXPECT_EQ(kDialect->render_block(block, {}), "<|ref|>sub_title<|/ref|>\n## Methods");
  block.kind = RegionKind::code;
  EXPECT_EQ(kDialect->render_block(block, {}), "<|ref|>text<|/ref|>\nMethods");
}

TEST(DeepseekGrounding, APageCutAnywhereKeepsItsWordsAndShowsNoTag) {
  const std::string page(kPage);
  const std::string words[] = {"A title", "Some words", "Methods", "Figure 1",
                               "left",    "one",        "tail"};
  for (size_t length = 0; length <= page.size(); ++length) {
    const std::string text = all_text(page.substr(0, length));
    for (const std::string& word : words)
      if (page.find(word) + word.size() <= length) {
        EXPECT_NE(text.find(word), std::string::npos) << word << " is lost at " << length;
      }
    EXPECT_EQ(text.find("<|"), std::string::npos) << length << ": " << text;
    EXPECT_EQ(text.find("[["), std::string::npos) << length << ": " << text;
  }
}

TEST(DeepseekGrounding, BrokenAndForeignTextIsKept) {
  EXPECT_EQ(all_text("plain words"), "plain words|");
  EXPECT_EQ(all_text("# Free OCR\n\nwords"), "Free OCR|words|");
  EXPECT_EQ(all_text("before<|ref|>text<|/ref|>\nin"), "before|in|");
  EXPECT_EQ(all_text("<|ref|>text<|/ref|><|det|>[[1, 2, 3, 4]] no end"), "no end|");
  EXPECT_EQ(all_text("<|ref|>text<|/ref|><|det|>nothing<|/det|>\nmore"), "nothing\nmore|");
  EXPECT_EQ(all_text("<|ref|>text\nnot closed"), "not closed|");
  EXPECT_EQ(all_text("<|ref|>text<|ref|>title<|/ref|>\n# T"), "T|");
  EXPECT_EQ(all_text("stray<|/det|> tags<|/ref|>"), "stray tags|");
  EXPECT_EQ(all_text("<|ref|>image<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>\nwords"), "|words|");
  EXPECT_EQ(all_text("<|ref|>table<|/ref|>\n<table><tr><td>cut"), "cut|");
  EXPECT_EQ(all_text(""), "");
  // What was located by its words, and "OCR this image": the words are the label.
  const auto found =
      parsed("<|ref|>the red circle<|/ref|><|det|>[[1, 2, 3, 4], [5, 6, 7, 8]]<|/det|>");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text, "the red circle");
  EXPECT_EQ(kSteps.to_frame(found[0].box_pt), (Box{1, 2, 7, 8}));
  EXPECT_EQ(parsed("<|ref|>image<|/ref|><|det|>[[1, 2, 3, 4], [5, 6, 7, 8]]<|/det|>").size(), 2u);
  EXPECT_TRUE(parsed("<|ref|>text<|/ref|><|det|>[[1, 2, 3]]<|/det|>\ns")[0].box_pt == PointBox{});
}

TEST(DeepseekGrounding, RandomBytesAreParsed) {
  std::mt19937 rng(9);
  const std::string marks[] = {"<|ref|>", "<|/ref|>", "<|det|>", "<|/det|>", "[[1, 2, 3, 4]]",
                               "text",    "\n",       "<table>", "\\[",      "image"};
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t n = rng() % 30; n > 0; --n)
      text += rng() % 3 ? marks[rng() % std::size(marks)] : std::string(1, char(rng() % 256));
    EXPECT_NO_THROW(parsed(text));
  }
  EXPECT_NO_THROW(parsed(std::string(100'000, '[')));
}

// The form that transformers' processor reads.
TEST(UnlimitedGrounding, ReadsThePublishedFormAndWritesIt) {
  constexpr char kAnswer[] =
      "<|det|>image [383, 87, 497, 171]<|/det|>\n"
      "<|det|>title [333, 201, 558, 230]<|/det|># A title\n"
      "<|det|>text [10, 240, 500, 260]<|/det|>Some words\nin two lines\n"
      "<|det|>table [5, 400, 900, 600]<|/det|><table><tr><td>left</td><td>3.5</td></tr></table>\n";
  const auto dialect = make_unlimited_grounding_dialect();
  const auto blocks = dialect->parse_page(kAnswer, kFrame);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0].kind, RegionKind::picture);
  EXPECT_EQ(kSteps.to_frame(blocks[0].box_pt), (Box{383, 87, 497, 171}));
  EXPECT_EQ(blocks[1].kind, RegionKind::title);
  EXPECT_EQ(blocks[1].text, "A title");
  EXPECT_EQ(blocks[2].text, "Some words\nin two lines");
  EXPECT_EQ(blocks[3].html, "<table><tr><td>left</td><td>3.5</td></tr></table>");
  EXPECT_EQ(dialect->render_page(blocks, kFrame), kAnswer);
}

TEST(UnlimitedGrounding, OfWhatIsCutOffNoTagBecomesText) {
  const auto dialect = make_unlimited_grounding_dialect();
  const std::string whole =
      "Words before.\n<|det|>text [10, 240, 500, 260]<|/det|>Some words\n"
      "<|det|>footer [1, 2, 3, 4]<|/det|>9";
  for (size_t n = 0; n <= whole.size(); ++n)
    for (const Block& block : dialect->parse_page(whole.substr(0, n), kFrame)) {
      EXPECT_EQ(block.text.find("<|"), std::string::npos) << n << ": " << block.text;
      EXPECT_EQ(block.text.find('['), std::string::npos) << n << ": " << block.text;
    }
}

}  // namespace
}  // namespace docspec
