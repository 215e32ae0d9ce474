#include "core/markup/models/olmocr.h"

#include <gtest/gtest.h>

#include <random>

namespace docspec {
namespace {

const PageFrame kFrame{600, 800, 1204, 1596};
const auto kDialect = make_olmocr_dialect();

constexpr char kPage[] =
    "---\nprimary_language: en\nis_rotation_valid: True\nrotation_correction: 0\nis_table: False\n"
    "is_diagram: False\n---\n# A title\n\nSome words with \\(x^2\\) inside.\n\n\\[\ny = x\n\\]\n\n"
    "\\[ a < b \\]\n\n<table>\n<tr><th>a</th></tr>\n<tr><td>1</td></tr>\n</table>\n\n"
    "![A diagram](page_10_20_300_400.png)\n\n- one\n- two";

Block block(RegionKind kind, const std::string& text) {
  Block out;
  out.kind = kind;
  out.text = text;
  return out;
}

TEST(OlmOcr, ReadsThePublishedForm) {
  const auto blocks = kDialect->parse_page(kPage, kFrame);
  ASSERT_EQ(blocks.size(), 8u);
  EXPECT_EQ(blocks[0].kind, RegionKind::title);
  EXPECT_EQ(blocks[0].text, "A title");
  EXPECT_NE(blocks[1].text.find("x^2"), std::string::npos);
  EXPECT_EQ(blocks[2].latex, "y = x");
  EXPECT_EQ(blocks[3].latex, " a < b ");
  EXPECT_EQ(blocks[4].kind, RegionKind::table);
  EXPECT_EQ(blocks[5].kind, RegionKind::picture);
  EXPECT_EQ(blocks[5].text, "A diagram");
  EXPECT_EQ(blocks[7].text, "two");
  for (size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(blocks[i].order, int(i));
}

TEST(OlmOcr, ParseOfRenderGivesTheBlocksBack) {
  std::mt19937 rng(3);
  const RegionKind kinds[] = {RegionKind::title,     RegionKind::section_header, RegionKind::text,
                              RegionKind::list_item, RegionKind::formula,        RegionKind::table};
  for (int round = 0; round < 200; ++round) {
    std::vector<Block> blocks;
    for (size_t n = rng() % 8; n > 0; --n) {
      Block& b = blocks.emplace_back(block(kinds[rng() % 6], "words"));
      for (size_t w = rng() % 5; w > 0; --w) b.text += " more, 3.5 %";
      if (b.kind == RegionKind::section_header) b.level = 2 + int(rng() % 4);
      if (b.kind == RegionKind::formula) b.latex = "\\frac{1}{2} < x";
      if (b.kind == RegionKind::table)
        b.html = "<table><tr><td colspan=\"2\">a</td></tr><tr><td>b</td><td>c</td></tr></table>";
    }
    const auto parsed = kDialect->parse_page(kDialect->render_page(blocks, kFrame), kFrame);
    ASSERT_EQ(parsed.size(), blocks.size()) << "round " << round;
    for (size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(parsed[i].kind, blocks[i].kind) << "round " << round << ", block " << i;
      if (!blocks[i].html && !blocks[i].latex) {
        EXPECT_EQ(parsed[i].text, blocks[i].text);
      }
      EXPECT_EQ(parsed[i].html, blocks[i].html);
      EXPECT_EQ(parsed[i].latex, blocks[i].latex);
    }
  }
}

TEST(OlmOcr, FormulasOfADraftAreWrittenAsTheModelWritesThem) {
  Block text = block(RegionKind::text, "so $x_{1}$ and $y$ hold");
  text.marks = {{TextMark::Kind::formula, 3, 10}, {TextMark::Kind::formula, 15, 18}};
  EXPECT_EQ(kDialect->render_block(text, kFrame), "so \\(x_{1}\\) and \\(y\\) hold");
}

TEST(OlmOcr, APageCutAnywhereKeepsItsTextAndNothingOfItsFrontMatter) {
  const std::string page = kPage;
  const size_t body = page.find("# A title");
  for (size_t cut = 0; cut <= page.size(); ++cut) {
    std::string text;
    for (const Block& b : kDialect->parse_page(page.substr(0, cut), kFrame))
      text += b.text + b.html.value_or("") + b.latex.value_or("");
    EXPECT_EQ(text.find("is_"), std::string::npos) << cut;
    if (cut <= body) {
      EXPECT_EQ(text, "") << cut;
    }
    if (cut > body + 30) {
      EXPECT_NE(text.find("Some words"), std::string::npos) << cut;
    }
  }
}

TEST(OlmOcr, TextWithoutFrontMatterOrFenceIsKept) {
  const auto text = [](std::string_view page) {
    const auto blocks = kDialect->parse_page(page, kFrame);
    return blocks.empty() ? std::string() : blocks[0].text;
  };
  EXPECT_EQ(text("plain words"), "plain words");
  EXPECT_EQ(text("---\nis_table: False\nplain words"), "plain words");
  EXPECT_EQ(text("--- not a fence"), "--- not a fence");
  EXPECT_EQ(kDialect->parse_page("\\[\nx = 1", kFrame).at(0).latex, "x = 1");
}

TEST(OlmOcr, RandomBytesAreParsed) {
  std::mt19937 rng(8);
  const std::string marks[] = {"---\n", "\\[", "\\]", "\n", "is_table: ", "<table", "$$", "|a|\n"};
  for (int round = 0; round < 2000; ++round) {
    std::string text = rng() % 2 ? "---\n" : "";
    for (size_t n = rng() % 30; n > 0; --n)
      text += rng() % 3 ? marks[rng() % 8] : std::string(1, char(rng() % 256));
    EXPECT_NO_THROW(kDialect->parse_page(text, kFrame));
  }
}

}  // namespace
}  // namespace docspec
