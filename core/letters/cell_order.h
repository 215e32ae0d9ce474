#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/letters/words/page_words.h"
#include "core/markup/base/table.h"

namespace docspec {

/// Where the cells of a table lie in its grid, rows and columns from 0, `to` past the last.
struct CellPlace {
  int row = 0, row_to = 1, column = 0, column_to = 1;
};

/// One place a cell, row by row as Table has them.
std::vector<CellPlace> cell_places(const Table& table);

/// Puts the tokens inside a table in the order of its cells and writes PageToken::cell; those
/// around the table come first or last. `votes`: for each token the cell that has its word, or
/// SIZE_MAX. The lines between rows and columns lie where they part the votes best. False, and
/// nothing is changed, where more than a tenth of the votes contradict them.
bool order_by_cells(std::span<const CellPlace> cells, std::span<const size_t> votes,
                    std::vector<PageToken>& tokens);

}  // namespace docspec
