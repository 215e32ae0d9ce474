#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// One cell of a table; text is plain, lines separated by "\n".
struct TableCell {
  std::string text;
  int colspan = 1, rowspan = 1;
  bool header = false;
  bool operator==(const TableCell&) const = default;
};

/// Rows of cells as HTML has them: a spanned cell stands once, at its top left.
struct Table {
  std::vector<std::vector<TableCell>> rows;
  bool operator==(const Table&) const = default;

  /// No spans and the same number of cells in every row: Markdown pipes can hold it.
  bool simple() const;
};

/// The first <table> in `html`; nothing when there is none or it has no cell.
std::optional<Table> parse_html_table(std::string_view html);
/// One line without white space between tags: <table><tr><td>..</td></tr></table> (the form of
/// dots.ocr and DeepSeek-OCR).
std::string render_html_table(const Table& table);
/// The cells' text: a blank between cells, a line a row.
std::string table_words(const Table& table);

/// One line of a cell's text as it stands between pipes, and back.
using CellText = std::string (*)(std::string_view);
/// Escapes pipes and backslashes alone.
std::string escape_pipes(std::string_view line);
std::string unescape_pipes(std::string_view line);

/// Markdown pipes, the first row as header; lines of a cell are separated by <br>. Only for simple
/// tables.
std::string render_pipe_table(const Table& table, CellText escape = escape_pipes);
/// A pipe table if that can hold it, else HTML.
std::string render_table(const Table& table, CellText escape = escape_pipes);
/// Reads pipes back (lines of `| a | b |`, the second the rule); nothing when they are no table.
std::optional<Table> parse_pipe_table(const std::vector<std::string>& lines,
                                      CellText unescape = unescape_pipes);

}  // namespace docspec
