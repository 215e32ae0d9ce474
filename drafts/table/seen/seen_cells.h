#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/detector/tables/table_net.h"

namespace docspec {

/// The cells of a table with the page's words in them, and how well the words agree with the cells.
struct FilledTable {
  int rows = 0, columns = 0;
  std::vector<GridCell> cells;  ///< by row, then column, each with the box of its words
  /// The part of the phrases, 0..1, that stand in a cell of their own, in the order of the columns,
  /// without the numbers of two rows in one cell.
  double fit = 0;
};

/// Gives each phrase of `area` to a cell of `table`, whose boxes are rough: that which it lies on,
/// else the nearest. `em_px`: size of the body text.
FilledTable fill_cells(const SeenTable& table, const Box& area, std::span<const Word> words,
                       double em_px);

}  // namespace docspec
