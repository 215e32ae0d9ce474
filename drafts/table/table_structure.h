#pragma once

#include <optional>
#include <span>
#include <vector>

#include "drafts/lines/text_lines.h"

namespace docspec {

/// One cell of a table: its lines, top to bottom.
struct CellLines {
  int row = 0, column = 0, column_span = 1, row_span = 1;
  std::vector<std::vector<int>> lines;  ///< indices of words
};

struct TableGrid {
  int rows = 0, columns = 0;
  std::vector<CellLines> cells;  ///< by row, then column; empty cells are absent
};

/// Reads lines of words as a table by the strips that its rows leave free and the `rules` drawn
/// across it: the lines of a head, and of a row between rules, are one row; a head that spans
/// columns stays above them. Nothing when the lines are not clearly a table: fewer than 3 rows or 2
/// columns, or less than 60 % of the cells filled.
std::optional<TableGrid> table_grid(const std::vector<TextLine>& lines, std::span<const Word> words,
                                    std::span<const Box> rules = {});

}  // namespace docspec
