#pragma once

#include <span>
#include <vector>

#include "core/page/region.h"
#include "drafts/table/table_structure.h"

namespace docspec {

/// The grid's cells, those without a word too, each with the box of its words.
std::vector<GridCell> grid_cells(const TableGrid& grid, std::span<const Word> words);

}  // namespace docspec
