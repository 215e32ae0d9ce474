#include "tests/support/random_document.h"

#include "core/markup/base/table.h"

namespace docspec::test {
namespace {

Block random_block(std::mt19937& rng) {
  Block block;
  const RegionKind kinds[] = {
      RegionKind::title, RegionKind::section_header, RegionKind::text, RegionKind::list_item,
      RegionKind::table, RegionKind::formula,        RegionKind::code, RegionKind::picture};
  block.kind = kinds[rng() % std::size(kinds)];
  const bool heading = block.kind == RegionKind::title || block.kind == RegionKind::section_header;
  if (block.kind == RegionKind::title) block.level = 1;
  if (block.kind == RegionKind::section_header) block.level = 2 + int(rng() % 5);
  if (block.kind == RegionKind::formula) {
    block.latex = "x_" + std::to_string(rng() % 100) + " = \\frac{a}{b}";
  } else if (block.kind == RegionKind::picture) {
    block.figure = "a (1).files/p1-" + std::to_string(rng() % 100) + ".png";
  } else if (block.kind == RegionKind::table) {
    Table table;
    const size_t columns = 1 + rng() % 4;
    for (size_t r = 0; r < 1 + rng() % 4; ++r) {
      auto& row = table.rows.emplace_back();
      for (size_t c = 0; c < columns; ++c)
        row.push_back({random_text(rng, true), rng() % 5 ? 1 : 2, 1, false});
    }
    block.html = render_html_table(table);
  } else {
    block.text = random_text(rng, heading);
  }
  block.box_pt = {double(rng() % 500), double(rng() % 700), 501 + double(rng() % 100), 702.125};
  block.source = "text-layer";
  if (rng() % 3 == 0) {
    block.words.push_back({WordSource::document, 3, "", {}, {}, {}, "", {}, false});
    block.words.push_back({WordSource::model,
                           1,
                           "31",
                           "31",
                           "37",
                           {},
                           "OCR reads the model's",
                           {1.5, 2, 30, 14.25},
                           true});
  }
  return block;
}

}  // namespace

std::string random_text(std::mt19937& rng, bool one_line) {
  static const char* const kPieces[] = {
      "word",   "é",   "日本", "a_b",  "_x_", "*",      "**",         "`",         "#",    "## h",
      "- ",     "1. ", "12) ", "> ",   "|",   "\\",     "\\*",        "<b>",       "&lt;", "&",
      "[a](b)", "$$",  "=",    "---",  "+ ",  "~~~",    "<!-- x -->", "<",         ">",    "!",
      "100%",   "“q”", "ﬁ",    "<br>", "~~",  "[1]: x", "](",         "--- | ---", ":--|", "</td>"};
  std::string text;
  const size_t lines = one_line ? 1 : 1 + rng() % 3;
  for (size_t l = 0; l < lines; ++l) {
    if (l) text += '\n';
    for (size_t i = 0; i < 1 + rng() % 6; ++i) {
      if (i && rng() % 2) text += ' ';
      text += kPieces[rng() % std::size(kPieces)];
    }
    while (text.back() == ' ') text.pop_back();
    if (text.empty() || text.back() == '\n') text += "w";
    // A number alone on the first line is joined with the next.
    if (l == 0 && lines > 1 && (text.back() == '.' || text.back() == ')')) text += 'w';
  }
  std::string folded;
  for (char c : text)
    if (c != ' ' || folded.empty() || folded.back() != ' ') folded += c;
  return folded;
}

Document random_document(std::mt19937& rng) {
  Document document;
  document.source_file = "a b.pdf";
  document.source_sha256 = std::string(64, 'e');
  document.source_pages = 9;
  for (int p = 1; p <= 3; ++p) {
    Page page;
    page.page = p;
    page.width_pt = 612;
    page.height_pt = 792;
    page.dpi = 200;
    if (p == 2) {
      page.status = PageStatus::fallback;
      page.level = PageLevel::draft;
      page.failure = Failure{ExitCode::partial, "the model ran away"};
    }
    for (size_t b = 0; b < 1 + rng() % 8; ++b) {
      page.blocks.push_back(random_block(rng));
      page.blocks.back().id = page.blocks.back().order = int(b);
    }
    document.pages.push_back(page);
  }
  return document;
}

}  // namespace docspec::test
