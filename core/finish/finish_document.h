#pragma once

#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/input/document_reader.h"

namespace docspec {

/// Facts about a document besides its pages.
struct FinishOptions {
  bool join_tables = true;
  std::vector<OutlineEntry> outline;  ///< the PDF's bookmarks
};

/// Finds what only the whole document shows: running headers, heading levels, footnotes, tables
/// that continue on the next page. Kinds and levels of pages that a model has read stay as they
/// are; their tables are joined too.
void finish_document(Document& document, const FinishOptions& options);

/// Text at the top or bottom edge that repeats at its place on other pages (except for numbers, and
/// on at least a third of the pages) becomes Page-header or Page-footer. A heading among the
/// headers that heads only one page becomes body text again. Needs three pages.
void mark_running_headers(Document& document);

/// Gives each font size one level: a heading takes the level that the outline has for it, else that
/// of its number, else that of numbered headings of its size, else the rank of its size.
void set_heading_levels(Document& document, const std::vector<OutlineEntry>& outline);

/// Marks the number or sign of each footnote, and where the page's text refers to it, with one name
/// for both. A note to which nothing refers, or several places do, stays as it is.
void link_notes(Document& document);

/// Joins a table that opens a page with the one that ended the page before, if their edges and
/// columns agree; a repeated header row is dropped. The `parts` of the joined block tell which rows
/// were on which page.
void join_tables(Document& document);

}  // namespace docspec
