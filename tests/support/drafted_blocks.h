#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/document/page_blocks.h"
#include "core/markup/formats/markdown.h"
#include "drafts/page_drafter.h"
#include "tests/support/font_widths.h"
#include "tests/support/pdf_writer.h"

namespace docspec::test {

inline const std::string kProse =
    "a line of plain words that is as long as lines of a text usually";

/// A line that ends at x.
inline PdfLine line_ending(double x, double y, const std::string& text, const std::string& font,
                           double size) {
  return {x - text_width(text, font, size), y, text, size, font};
}

/// Lines of `text`, one below the other, so that the page has running text.
inline void add_prose(PdfPage& page, double x, double y, int rows,
                      const std::string& text = kProse) {
  for (int row = 0; row < rows; ++row) page.lines.push_back({x, y - 13.0 * row, text, 10});
}

inline void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}
inline void expect_lacks(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << text;
}

/// The blocks of a page that is drafted from its text layer alone.
inline std::vector<Block> blocks_of(const PdfPage& page) {
  const auto reader = open_document(input(make_pdf({page})), "");
  PageDraftOptions options;
  options.sources = {"text-layer"};
  return page_blocks(PageDrafter(options).draft(*reader, 1).drafts).blocks;
}

/// The Markdown of a document of this page alone, drafted likewise.
inline std::string markdown_of(const PdfPage& page) {
  Document document;
  document.pages.emplace_back().page = 1;
  document.pages[0].blocks = blocks_of(page);
  return render_markdown(document, {}, nullptr);
}

}  // namespace docspec::test
