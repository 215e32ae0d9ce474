#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/region.h"
#include "drafts/grid/ruling_lines.h"

namespace docspec {

/// A table whose lines show its cells.
struct RuledTable {
  Box box;
  int rows = 0, columns = 0;
  std::vector<GridCell> cells;  ///< by row, then column; they tile the box
};

/// Grids of lines that cross: at least 2 columns and 2 rows of cells. Neighbouring cells without a
/// line between them are one cell with spans. `em_px`: size of the body text; lines nearer than
/// half of it are one.
std::vector<RuledTable> find_ruled_tables(const RulingLines& lines, double em_px);

/// Tables of two rows that one line across parts, the lines of the columns crossing it: each cell
/// holds one of `words` and more.
std::vector<RuledTable> find_crossed_tables(const RulingLines& lines, std::span<const Box> words,
                                            double em_px);

/// Is it a table that people read: words in at least two of its columns and in 30 % of its cells
/// (or 70 % of its rows, or in a head and an item below it), and no cell that holds nearly all of
/// them? `boxes`: of words or lines.
bool holds_text(const RuledTable& table, std::span<const Box> boxes);

/// Whether the cells of the first column are labels of a few words, those of two rows and more.
bool has_labels(const RuledTable& table, std::span<const Box> words);

}  // namespace docspec
