#include "core/markup/formats/markdown.h"

#include <gtest/gtest.h>

#include "core/markup/base/table.h"
#include "core/markup/formats/markdown_inline.h"
#include "core/markup/formats/markdown_parser.h"
#include "core/markup/registry.h"
#include "tests/support/one_page.h"
#include "tests/support/random_document.h"

namespace docspec {
namespace {

Block block(RegionKind kind, const std::string& text) {
  Block b;
  b.kind = kind;
  b.text = text;
  return b;
}

std::string markdown(std::vector<Block> blocks, RenderOptions options = {}) {
  return render_markdown(one_page(std::move(blocks)), options, nullptr);
}

TEST(MarkdownInline, UnescapeUndoesEscape) {
  std::mt19937 rng(11);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = test::random_text(rng, i % 2 == 0);
    EXPECT_EQ(unescape_markdown(escape_markdown(text)), text);
  }
}

TEST(MarkdownInline, LeavesOrdinaryProseAlone) {
  for (const char* text :
       {"Plain prose, with (parens) and 3.5 % of it.", "snake_case and A-B", "see [12] and x < y",
        "R&D at 1.5 V", "3.5 metres", "2 * 3 and a _ b", "= 3 and a*b", "name ____ and ____ date",
        "<CELL,a> and <3", "**see note"})
    EXPECT_EQ(escape_markdown(text), text);
}

TEST(Markdown, ParseOfRenderGivesTheBlocksBack) {
  RenderOptions options;
  options.page_marks = true;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 rng(seed);
    const Document document = test::random_document(rng);
    const auto pages = parse_markdown(render_markdown(document, options, nullptr));
    ASSERT_EQ(pages.size(), document.pages.size()) << "seed " << seed;
    for (size_t p = 0; p < pages.size(); ++p) {
      EXPECT_EQ(pages[p].status, document.pages[p].status);
      ASSERT_EQ(pages[p].blocks.size(), document.pages[p].blocks.size())
          << "seed " << seed << "\n"
          << render_markdown(document, options, nullptr);
      for (size_t b = 0; b < pages[p].blocks.size(); ++b) {
        const Block &got = pages[p].blocks[b], &want = document.pages[p].blocks[b];
        // "3. word" is an item of a list where Markdown shows that number, else a paragraph.
        const bool numbered =
            number_mark(want.text.substr(0, want.text.find('\n'))) != want.text.npos;
        const bool prose = want.kind == RegionKind::text || want.kind == RegionKind::list_item;
        if (numbered && prose) {
          EXPECT_TRUE(got.kind == RegionKind::text || got.kind == RegionKind::list_item);
        } else {
          EXPECT_EQ(name(got.kind), name(want.kind)) << "seed " << seed << ": " << want.text;
        }
        EXPECT_EQ(got.text, want.text) << "seed " << seed;
        EXPECT_EQ(got.html, want.html) << "seed " << seed;
        EXPECT_EQ(got.latex, want.latex);
        EXPECT_EQ(got.level, want.level);
        EXPECT_EQ(got.figure, want.figure);
      }
    }
  }
}

TEST(Markdown, WritesEachKindAsReadersExpect) {
  Block table = block(RegionKind::table, "");
  table.html = "<table><tr><td>a</td><td>b|c</td></tr><tr><td>1</td><td>2</td></tr></table>";
  EXPECT_EQ(markdown({block(RegionKind::title, "T"), block(RegionKind::section_header, "S"),
                      block(RegionKind::list_item, "one"), block(RegionKind::list_item, "2. two"),
                      block(RegionKind::text, "x"), table, block(RegionKind::code, "a\n  b")}),
            "# T\n\n## S\n\n- one\n2. two\n\nx\n\n| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n\n"
            "```\na\n  b\n```\n");
}

Block table(const std::string& cell) {
  Block b = block(RegionKind::table, "");
  b.html = render_html_table({{{{cell}, {"b"}}, {{"1"}, {"2"}}}});
  return b;
}

TEST(Markdown, CellsOfPipeTablesAreEscapedLikeAllText) {
  const std::pair<const char*, const char*> cases[] = {
      {"<script>alert(1)</script>", "\\<script>alert(1)\\</script>"},
      {"**bold** `x`", "\\*\\*bold\\*\\* \\`x\\`"},
      {"<!-- lost -->", "\\<!-- lost -->"},
      {"[a](javascript:b)", "[a\\](javascript:b)"},
      {"a|b\\", "a\\|b\\\\"},
      {"two\nlines", "two<br>lines"},
      {"<br>", "\\<br>"},
      {"R&D 3.5 x_y", "R&D 3.5 x_y"}};
  for (const auto& [text, cell] : cases) {
    const std::string out = markdown({table(text)});
    EXPECT_TRUE(out.starts_with(std::string("| ") + cell + " | b |\n")) << out;
    EXPECT_EQ(parse_markdown(out)[0].blocks[0].html, table(text).html) << out;
  }
}

TEST(Markdown, TextOpensNoLinkTableOrHeading) {
  const std::pair<const char*, const char*> cases[] = {
      {"[1]: see there", "[1\\]: see there"},
      {"[a\nb](javascript:c)", "[a  \nb\\](javascript:c)"},
      {"a | b\n--- | ---", "a | b  \n\\--- | ---"},
      {"[^1]: see there", "\\[^1\\]: see there"},
      {"a ~~b\nc~~ d", "a \\~\\~b  \nc\\~\\~ d"},
      {"where $x$ and $y\nor z$", "where \\$x$ and \\$y  \nor z$"},
      {"$5 and $6, US$7", "$5 and $6, US$7"},
      {"8$ or 9$", "8$ or 9$"},
      {"~~struck~~ but ~5 to ~6", "\\~\\~struck\\~\\~ but ~5 to ~6"},
      {"#\tx", "\\#\tx"},
      {"a\r# b", "a\r\\# b"}};
  for (const auto& [text, out] : cases)
    EXPECT_EQ(markdown({block(RegionKind::text, text)}), std::string(out) + "\n");
}

std::string read_by_model(RegionKind kind, const std::string& text) {
  Block b = block(kind, text);
  b.markdown_text = true;
  return markdown({b});
}

TEST(Markdown, WhatAModelWroteKeepsItsFormattingAndCannotAct) {
  const std::pair<const char*, const char*> cases[] = {
      {"**bold** H<sub>2</sub>O $a<b$ `vector<int>`",
       "**bold** H<sub>2</sub>O $a< b$ `vector<int>`"},
      {"[a](https://b.org/c) [d](e.md#f)", "[a](https://b.org/c) [d](e.md#f)"},
      {"<script>alert(1)</script>", "\\<script>alert(1)\\</script>"},
      {"<sub onclick=x>", "\\<sub onclick=x>"},
      {"<!-- gone -->", "\\<!-- gone -->"},
      {"\\\\<b a>", "\\\\\\<b a>"},
      {"[a](javascript:b)", "[a\\](javascript:b)"},
      {"[a](<java\tscript:b>)", "[a\\](\\<java\tscript:b>)"},
      {"[a](java&#115;cript:b)", "[a\\](java&#115;cript:b)"},
      {"![a](https://b.org/c.png) ![d](e.png)", "![a\\](https://b.org/c.png) ![d](e.png)"},
      {"[a]: javascript:b", "[a\\]: javascript:b"},
      {"`a\n` <script> `", "`a\n` < script> `"},
      {"$`$ `<script>`", "$`$ `\\<script>`"}};
  for (const auto& [text, out] : cases)
    EXPECT_EQ(read_by_model(RegionKind::text, text), std::string(out) + "\n");
  EXPECT_EQ(read_by_model(RegionKind::title, "# <script>"), "# \\<script>\n");
}

TEST(Markdown, FormulasHoldNoTagsLinksOrParagraphs) {
  Block b = block(RegionKind::formula, "");
  b.latex = "a<b\n\n# x\n[a](javascript:b)\n<script>";
  EXPECT_EQ(markdown({b}), "$$\na< b\n# x\n[a] (javascript:b)\n< script>\n$$\n");
}

TEST(Markdown, PicturesAreFoundWhateverTheNameOfTheFile) {
  Block b = block(RegionKind::picture, "");
  b.figure = "a](x) <é>.files/p 1.png";
  const std::string out = markdown({b});
  EXPECT_EQ(out, "![](a%5D%28x%29%20%3Cé%3E.files/p%201.png)\n");
  EXPECT_EQ(parse_markdown(out)[0].blocks[0].figure, b.figure);
}

TEST(Markdown, LinesOfATextAreLinesForItsReader) {
  const std::string out = markdown({block(RegionKind::text, "North Quay 2\n54321 Port")});
  EXPECT_EQ(out, "North Quay 2  \n54321 Port\n");
  EXPECT_EQ(parse_markdown(out)[0].blocks[0].text, "North Quay 2\n54321 Port");
}

TEST(Markdown, NumbersAreEscapedOnlyWhereMarkdownWouldChangeThem) {
  EXPECT_EQ(markdown({block(RegionKind::text, "150. The sentence.")}), "150. The sentence.\n");
  EXPECT_EQ(markdown({block(RegionKind::text, "150. A"), block(RegionKind::text, "151. B"),
                      block(RegionKind::text, "7. C"), block(RegionKind::text, "8) D")}),
            "150. A\n\n151. B\n\n7\\. C\n\n8) D\n");
  EXPECT_EQ(markdown({block(RegionKind::text, "In\n1999. It was")}), "In  \n1999\\. It was\n");
  EXPECT_EQ(markdown({block(RegionKind::text, "007. Bond")}), "007\\. Bond\n");
}

TEST(Markdown, HeadingsKeepTheirNumbersUnescaped) {
  EXPECT_EQ(markdown({block(RegionKind::section_header, "3. A #")}), "## 3. A \\#\n");
}

TEST(Markdown, KeepsSpannedTablesAsHtml) {
  Block table = block(RegionKind::table, "");
  table.html = "<table><tr><td colspan=\"2\">a</td></tr><tr><td>1</td><td>2</td></tr></table>";
  EXPECT_EQ(markdown({table}), *table.html + "\n");
}

TEST(Markdown, HeaderPolicyDropsKeepsOrComments) {
  const std::vector<Block> blocks = {block(RegionKind::page_header, "Head"),
                                     block(RegionKind::text, "x"),
                                     block(RegionKind::page_footer, "7")};
  EXPECT_EQ(markdown(blocks), "x\n");
  EXPECT_EQ(markdown(blocks, {HeaderPolicy::keep, false}), "Head\n\nx\n\n7\n");
  EXPECT_EQ(markdown(blocks, {HeaderPolicy::comment, false}),
            "<!-- header: Head -->\n\nx\n\n<!-- footer: 7 -->\n");
}

TEST(Markdown, NamesFallbackPagesInAComment) {
  Document document = one_page({block(RegionKind::text, "x")});
  document.pages[0].page = 12;
  document.pages[0].status = PageStatus::fallback;
  document.pages[0].failure = Failure{ExitCode::partial, "the decode timed out"};
  EXPECT_EQ(render_markdown(document, {}, nullptr),
            "<!-- page 12: fallback (draft): the decode timed out -->\n\nx\n");
}

TEST(Markdown, RangesPointAtTheBlocksText) {
  Document located;
  const std::string text = render_markdown(
      one_page({block(RegionKind::title, "T"), block(RegionKind::text, "body")}), {}, &located);
  const auto range = located.pages[0].blocks[1].markdown_range;
  ASSERT_TRUE(range);
  EXPECT_EQ(text.substr(range->first, range->second - range->first), "body");
}

TEST(Markdown, NeverLosesTextOfBrokenMarkup) {
  for (const char* text : {"<table><tr><td>cell", "```\ncode without end", "$$\nx", "<!-- open",
                           "![a](", "| a |\n| b |", "#", "\\"}) {
    const auto blocks = make_dialect("markdown")->parse_page(text, {});
    ASSERT_FALSE(blocks.empty()) << text;
    const Block& b = blocks[0];
    EXPECT_FALSE((b.text + b.html.value_or("") + b.latex.value_or("")).empty()) << text;
  }
}

TEST(DocspecJson, ParseOfRenderIsTheDocument) {
  const auto format = make_output_format("json");
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 rng(seed);
    const Document document = test::random_document(rng);
    const std::string text = format->render(document, {});
    EXPECT_EQ(format->render(format->parse(text), {}), text) << "seed " << seed;
    EXPECT_EQ(format->parse(text).pages[1].failure->message, "the model ran away");
  }
}

TEST(DocspecJson, RefusesWhatIsNotItsSchema) {
  const auto format = make_output_format("json");
  for (const char* text :
       {"", "{}", "[1]", R"({"schema":"docspec/9"})", "{\"schema\":\"docspec/1\"}"})
    EXPECT_THROW(format->parse(text), Error) << text;
}

TEST(MarkupRegistry, UnknownNamesAreUsageErrorsThatListTheKnown) {
  try {
    make_output_format("docx");
    FAIL() << "docx is no format";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::usage);
    EXPECT_NE(std::string(e.what()).find("md, json"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace docspec
