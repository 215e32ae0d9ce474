#pragma once

#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/input/document_reader.h"

namespace docspec {

/// What is known of a document beside its pages.
struct FinishOptions {
  bool join_tables = true;
  std::vector<OutlineEntry> outline;  ///< the PDF's bookmarks
};

/// What only the whole document shows: running heads, heading levels, tables that go on on the next
/// page. Pages that a model read keep its kinds and levels; their tables are joined too.
void finish_document(Document& document, const FinishOptions& options);

/// Text at the top or bottom edge that comes again at its place on other pages (numbers aside, on a
/// third of the pages at least) becomes Page-header or Page-footer; a heading among the headers
/// that stands at the head of one page only becomes body text again. Needs three pages.
void mark_running_heads(Document& document);

/// One font size, one level: headings take the level of the outline where it names them, else that
/// of their number, else that of the numbered ones of their size, else the rank of their size.
void set_heading_levels(Document& document, const std::vector<OutlineEntry>& outline);

/// A table that opens a page goes on with the one that ended the page before when their edges and
/// columns agree; a repeated head is dropped. The joined block's `parts` say which rows stood
/// where.
void join_tables(Document& document);

}  // namespace docspec
