// What we write as Markdown, read by cmark-gfm, gives back the text that was meant.
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "core/document/page_blocks.h"
#include "core/finish/finish_document.h"
#include "core/markup/base/table.h"
#include "core/markup/formats/markdown.h"
#include "core/markup/formats/marked_markdown.h"
#include "drafts/page_drafter.h"
#include "tests/support/files.h"
#include "tests/support/one_page.h"
#include "tests/support/random_document.h"

namespace docspec {
namespace {

using Texts = std::vector<std::string>;

/// The words of a text with one blank between them.
std::string folded(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string word; in >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

void add(Texts& texts, const std::string& text) {
  const std::string shown = folded(text);
  const bool formula = shown.size() > 4 && shown.starts_with("$$") && shown.ends_with("$$");
  if (!shown.empty() && !formula) texts.push_back(shown);
}

void add_table(Texts& texts, const std::string& html) {
  const auto table = parse_html_table(html);
  if (!table) return;
  for (const auto& row : table->rows)
    for (const TableCell& cell : row) add(texts, cell.text);
}

/// What a reader sees of a document, without its formulas: paragraphs, headings, items, cells,
/// code.
class Reading {
 public:
  explicit Reading(const std::string& markdown) {
    cmark_gfm_core_extensions_ensure_registered();
    const std::unique_ptr<cmark_parser, decltype(&cmark_parser_free)> parser(
        cmark_parser_new(CMARK_OPT_FOOTNOTES), &cmark_parser_free);
    for (const char* name : {"table", "strikethrough", "autolink"})
      cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension(name));
    cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
    const std::unique_ptr<cmark_node, decltype(&cmark_node_free)> root(
        cmark_parser_finish(parser.get()), &cmark_node_free);
    read(root.get());
  }

  Texts texts;
  Texts links;    // addresses
  int notes = 0;  // references to footnotes
  int html = 0;   // tags within text
  int images = 0;
  int deepest = 0;  // lists within lists

 private:
  static std::string type(cmark_node* node) { return cmark_node_get_type_string(node); }

  void read(cmark_node* node) {
    for (cmark_node* child = cmark_node_first_child(node); child; child = cmark_node_next(child)) {
      const std::string kind = type(child);
      if (kind == "paragraph" || kind == "heading" || kind == "table_cell") {
        add(texts, number_of(child) + inline_text(child));
      } else if (kind == "code_block") {
        add(texts, cmark_node_get_literal(child));
      } else if (kind == "html_block") {
        add_table(texts, cmark_node_get_literal(child));
      } else {
        deepest = std::max(deepest, depth_ += kind == "list");
        cmark_node* first = cmark_node_first_child(child);
        if (kind == "item" && (!first || type(first) != "paragraph"))
          add(texts, item_number(child));
        read(child);
        depth_ -= kind == "list";
      }
    }
  }

  /// "3. " of an item of a numbered list.
  static std::string item_number(cmark_node* item) {
    cmark_node* list = cmark_node_parent(item);
    if (cmark_node_get_list_type(list) != CMARK_ORDERED_LIST) return "";
    int number = cmark_node_get_list_start(list);
    for (cmark_node* k = item; (k = cmark_node_previous(k));) ++number;
    return std::to_string(number) +
           (cmark_node_get_list_delim(list) == CMARK_PAREN_DELIM ? ") " : ". ");
  }
  static std::string number_of(cmark_node* node) {
    cmark_node* parent = cmark_node_parent(node);
    return type(parent) == "item" && !cmark_node_previous(node) ? item_number(parent) : "";
  }

  std::string inline_text(cmark_node* node) {
    std::string out;
    for (cmark_node* child = cmark_node_first_child(node); child; child = cmark_node_next(child)) {
      const std::string kind = type(child);
      if (kind == "link") links.emplace_back(cmark_node_get_url(child));
      html += kind == "html_inline";
      images += kind == "image";
      notes += cmark_node_get_type(child) == CMARK_NODE_FOOTNOTE_REFERENCE;
      if (kind == "text" || kind == "code" || kind == "html_inline")
        out += cmark_node_get_literal(child);
      else if (kind == "softbreak" || kind == "linebreak")
        out += ' ';
      else
        out += inline_text(child);
    }
    return out;
  }

  int depth_ = 0;
};

/// What the blocks mean to say. A note's number is no text of its own where it is a link.
Texts meant(const Document& document) {
  Texts texts;
  for (const Page& page : document.pages)
    for (const Block& block : page.blocks) {
      if (block.kind == RegionKind::page_header || block.kind == RegionKind::page_footer) continue;
      if (block.latex) continue;
      std::string text = block.text;
      for (auto mark = block.marks.rbegin(); mark != block.marks.rend(); ++mark)
        if (mark->kind == TextMark::Kind::note) text.erase(mark->from, mark->to - mark->from);
      if (block.html)
        add_table(texts, *block.html);
      else
        add(texts, text);
    }
  return texts;
}

void add_random_marks(Block& block, std::mt19937& rng) {
  static const char* const kAddresses[] = {"https://a.example/b_(c)?d=*&amp;e#[f]", "mailto:a@b.c",
                                           "http://x.example/<y>`z\"\\"};
  for (int k = 0; k < 4 && block.text.size() > 2; ++k) {
    size_t from = rng() % block.text.size(), to = from + 1 + rng() % (block.text.size() - from);
    const auto inside = [&](size_t at) { return (block.text[at] & 0xC0) == 0x80; };
    while (inside(from)) --from;
    while (to < block.text.size() && inside(to)) ++to;
    const auto kind = TextMark::Kind(rng() % 4);
    block.marks.push_back(
        {kind, from, to, kind == TextMark::Kind::link ? kAddresses[rng() % 3] : ""});
  }
  std::stable_sort(block.marks.begin(), block.marks.end(),
                   [](const TextMark& a, const TextMark& b) { return a.from < b.from; });
}

TEST(CommonMark, GivesBackRandomTextsFullOfMarks) {
  std::mt19937 rng(33);
  for (int round = 0; round < 400; ++round) {
    Document document = test::random_document(rng);
    for (Page& page : document.pages)
      for (Block& block : page.blocks) {
        const bool plain = block.kind == RegionKind::text || block.kind == RegionKind::list_item;
        if (plain && rng() % 2) block.text = test::random_text(rng, true);
        if (plain) add_random_marks(block, rng);
        if (block.kind == RegionKind::list_item) block.depth = int(rng() % 3);
        if (block.kind == RegionKind::picture) block.text.clear();
      }
    const std::string markdown = render_markdown(document, {}, nullptr);
    ASSERT_EQ(Reading(markdown).texts, meant(document)) << "round " << round << "\n" << markdown;
  }
}

TEST(CommonMark, GivesBackDraftedPages) {
  for (const char* name : {"invoice", "letter", "paper", "report"}) {
    const auto reader = open_document(
        std::make_shared<InputBytes>(InputBytes{
            name,
            test::read_file(std::string(DOCSPEC_SOURCE_DIR "/share/samples/") + name + ".pdf")}),
        "");
    PageDraftOptions options;
    options.sources = {"text-layer"};
    PageDrafter drafter(options);
    Document document;
    for (int p = 1; p <= reader->page_count(); ++p) {
      document.pages.emplace_back().page = p;
      set_blocks_from_drafts(drafter.draft(*reader, p).drafts, document.pages.back());
    }
    finish_document(document, {});
    EXPECT_EQ(Reading(render_markdown(document, {}, nullptr)).texts, meant(document)) << name;
  }
}

Block plain(RegionKind kind, std::string text, std::vector<TextMark> marks = {}) {
  Block block;
  block.kind = kind;
  block.text = std::move(text);
  block.marks = std::move(marks);
  return block;
}

TEST(CommonMark, LinksGoToTheirAddressWhateverItHolds) {
  using Kind = TextMark::Kind;
  const std::string address = "https://a.example/b_(c)?d=*&copy;#f";
  const Document document = one_page({plain(
      RegionKind::text, "see [1] there", {{Kind::link, 4, 7, address}, {Kind::bold, 4, 13, ""}})});
  const Reading reading(render_markdown(document, {}, nullptr));
  EXPECT_EQ(reading.texts, Texts{"see [1] there"});
  EXPECT_EQ(reading.links, Texts{"https://a.example/b_%28c%29?d=%2A&copy;#f"});
}

TEST(CommonMark, AnAddressThatIsItsOwnTextNeedsNoLink) {
  const std::string text = "at www.example.org/a today";
  EXPECT_EQ(
      marked_markdown(text, {{TextMark::Kind::link, 3, 20, "http://www.example.org/a/"}}, false),
      text);
}

TEST(CommonMark, FormulasWithinTextAreWrittenAsTheyAre) {
  using Kind = TextMark::Kind;
  const std::string text = "a costs $5, so $x_{1}*y_{1}*z$ holds";
  EXPECT_EQ(marked_markdown(text, {{Kind::formula, 15, 30}}, false),
            "a costs \\$5, so $x_{1}*y_{1}*z$ holds");
  Block heading =
      plain(RegionKind::section_header, "2 The $L^{2}_{*}$ norm_", {{Kind::formula, 6, 17}});
  EXPECT_EQ(render_markdown(one_page({heading}), {}, nullptr), "## 2 The $L^{2}_{*}$ norm\\_\n");
  for (const std::string hostile :
       {"$<img src=x onerror=f()>$", "$`a$", "$![a](b)$", "$[a](javascript:f)$"}) {
    const Block block = plain(RegionKind::text, "see " + hostile + " `b`",
                              {{Kind::formula, 4, 4 + hostile.size()}});
    const Reading reading(render_markdown(one_page({block}), {}, nullptr));
    EXPECT_EQ(reading.html, 0) << hostile;
    EXPECT_EQ(reading.images, 0) << hostile;
    EXPECT_TRUE(reading.links.empty()) << hostile;
  }
}

/// What a reader sees, or how many tags there are.
Texts tagless(const Document& document) {
  const Reading reading(render_markdown(document, {}, nullptr));
  return reading.html == 0 ? reading.texts : Texts{std::to_string(reading.html) + " tags"};
}

TEST(CommonMark, ATagAfterAnAddressStaysText) {
  // Viewers make a link of the address, and take the backslash before the tag for a part of it.
  for (const std::string text :
       {"http://a.example/<img src=x onerror=f()>", "see www.a.example/<b>",
        "https://a.example/`x`<script>", "<a href=http://a.example>b</a>"})
    EXPECT_EQ(tagless(one_page({plain(RegionKind::text, text)})), Texts{text});
  Block image = plain(RegionKind::text, "[![x](http://a.example/i)](http://a.example/j)");
  image.markdown_text = true;
  EXPECT_EQ(Reading(render_markdown(one_page({image}), {}, nullptr)).images, 0);
  Block said =
      plain(RegionKind::text, "at http://a.example/\\<img src=x> and http://a.example/<img>");
  said.markdown_text = true;
  EXPECT_EQ(tagless(one_page({said})),
            Texts{"at http://a.example/<img src=x> and http://a.example/<img>"});
}

TEST(CommonMark, WhatLooksLikeANoteStaysText) {
  const std::vector<Block> blocks = {plain(RegionKind::text, "Silt[^1] was measured."),
                                     plain(RegionKind::text, "[^1]: By hand.")};
  EXPECT_EQ(Reading(render_markdown(one_page(blocks), {}, nullptr)).texts,
            (Texts{"Silt[^1] was measured.", "[^1]: By hand."}));
}

TEST(CommonMark, NotesAndTheirNumbersAreLinked) {
  Document document = one_page({plain(RegionKind::text, "Silt² was measured in 3 m² of it."),
                                plain(RegionKind::footnote, "² By hand.")});
  link_notes(document);
  const std::string markdown = render_markdown(document, {}, nullptr);
  EXPECT_EQ(markdown, "Silt[^2] was measured in 3 m² of it.\n\n[^2]: By hand.\n");
  EXPECT_EQ(Reading(markdown).notes, 1);
}

TEST(CommonMark, ANoteThatTwoPlacesReferToStaysAsItIs) {
  Document document = one_page(
      {plain(RegionKind::text, "Silt² and sand²."), plain(RegionKind::footnote, "² By hand.")});
  link_notes(document);
  EXPECT_EQ(Reading(render_markdown(document, {}, nullptr)).notes, 0);
}

TEST(CommonMark, ItemsAreNestedAsDeepAsTheyStand) {
  Document document;
  std::vector<Block> items;
  for (const int depth : {0, 1, 1, 2, 0}) {
    items.push_back(plain(RegionKind::list_item, depth == 1 ? "7. seven" : "item"));
    items.back().depth = depth;
  }
  items[2].text = "8. eight";
  document = one_page(items);
  const Reading reading(render_markdown(document, {}, nullptr));
  EXPECT_EQ(reading.texts, meant(document));
  EXPECT_EQ(reading.deepest, 3);
}

}  // namespace
}  // namespace docspec
