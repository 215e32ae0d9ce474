#pragma once

#include <string>
#include <vector>

#include "core/document/page_blocks.h"
#include "core/markup/formats/markdown.h"
#include "drafts/page_drafter.h"
#include "tests/support/pdf_writer.h"

namespace docspec::test {

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
