#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/page/region.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// One cell of a table: its lines, top to bottom.
struct TableCell {
  int row = 0, column = 0, column_span = 1;
  std::vector<std::vector<int>> lines;  ///< indices of words
};

/// A table without merged rows.
struct TableGrid {
  int rows = 0, columns = 0;
  std::vector<TableCell> cells;  ///< by row, then column; empty cells are absent
};

/// Reads lines of words as a table by the gaps that all rows share (drafts.md 4). Nothing when they
/// are not clearly one: fewer than 3 rows or 2 columns, or less than 60 % of the cells filled.
std::optional<TableGrid> table_grid(const std::vector<TextLine>& lines,
                                    std::span<const Word> words);

/// `<table><tr><td>..</td></tr></table>` on one line, as dots.ocr writes it; text is escaped.
std::string table_html(const TableGrid& grid, std::span<const Word> words);
/// The same for the `own` words of a ruled table, with its spans; each goes to the cell that holds
/// its middle, else to the nearest one. `cells` by row, then column, not empty.
std::string table_html(std::span<const GridCell> cells, std::span<const Word> words,
                       std::span<const int> own);

}  // namespace docspec
