#include "drafts/table/grid_cells.h"

#include "drafts/grid/cell_text.h"

namespace docspec {

std::vector<GridCell> grid_cells(const TableGrid& grid, std::span<const Word> words) {
  std::vector<GridCell> cells;
  std::vector<bool> taken(size_t(grid.rows) * size_t(grid.columns), false);
  Box all;
  for (const CellLines& cell : grid.cells) {
    GridCell out{cell.row, cell.column, cell.row_span, cell.column_span, {}};
    for (const auto& line : cell.lines)
      for (int i : line) out.box = unite(out.box, words[size_t(i)].box);
    all = unite(all, out.box);
    for (int r = cell.row; r < cell.row + cell.row_span; ++r)
      for (int c = cell.column; c < cell.column + cell.column_span; ++c)
        taken[size_t(r * grid.columns + c)] = true;
    cells.push_back(out);
  }
  for (int r = 0; r < grid.rows; ++r)
    for (int c = 0; c < grid.columns; ++c)
      if (!taken[size_t(r * grid.columns + c)])
        cells.push_back({r, c, 1, 1, {all.x0, all.y0, all.x0, all.y0}});
  sort_cells(cells);
  return cells;
}

}  // namespace docspec
