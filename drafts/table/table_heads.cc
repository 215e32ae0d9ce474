#include "drafts/table/table_heads.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "drafts/table/cell_text.h"

namespace docspec {
namespace {

/// A row of heads that the body's columns were not cut through, because a head is wider than the
/// numbers below it, or its fill hides the lines: as many heads as columns are one each; fewer, far
/// apart, go to the nearest line of a column. A title over the whole table stays.
void cut_heads(RuledTable& table, std::span<const Word> words, double em) {
  constexpr double kFarEm = 1.5;
  constexpr int kLeastOfAll = 3;  // heads of a cell over the whole table: two may be a title
  std::vector<int> starts;
  for (int c = 0; c < table.columns; ++c) starts.push_back(column_start(table, c));
  std::vector<GridCell> cells;
  for (const GridCell& cell : table.cells) {
    PhraseRow heads;
    if (cell.column_span > 1) heads = phrase_columns(cell.box, words, em);
    const bool one_each = int(heads.size()) == cell.column_span;
    if (cell.column_span == table.columns && !(one_each && cell.column_span >= kLeastOfAll))
      heads.clear();
    const int count = int(heads.size());
    GridCell rest = cell;
    for (int k = 1; k < count; ++k) {
      const Box &left = heads[size_t(k) - 1], &right = heads[size_t(k)];
      const int x = (left.x1 + right.x0) / 2, end = rest.column + rest.column_span;
      if (!one_each && right.x0 - left.x1 < kFarEm * em) continue;
      int c = cell.column + k;
      for (int other = rest.column + 1; !one_each && other < end; ++other)
        if (c <= rest.column || c >= end ||
            std::abs(starts[size_t(other)] - x) < std::abs(starts[size_t(c)] - x))
          c = other;
      if (c <= rest.column || c >= end) continue;
      std::vector<GridCell> parts;
      cut_cell(parts, rest, c, x);
      cells.push_back(parts[0]);
      rest = parts[1];
    }
    cells.push_back(rest);
  }
  table.cells = std::move(cells);
  sort_cells(table.cells);
}

/// Where the lowest line of a cell's text begins, if it has a head for each of the cell's columns
/// and stands below one head for all; else 0.
int group_cut(const GridCell& cell, std::span<const Word> words, double em) {
  if (cell.column_span < 2) return 0;
  const auto rows = phrase_rows(cell.box, words, em);
  if (rows.size() < 2 || int(rows.back().size()) != cell.column_span) return 0;
  int above = 0, below = INT32_MAX;
  for (const Box& phrase : rows[rows.size() - 2]) above = std::max(above, phrase.y1);
  for (const Box& phrase : rows.back()) below = std::min(below, phrase.y0);
  const bool one = std::all_of(rows.begin(), rows.end() - 1,
                               [](const PhraseRow& row) { return row.size() == 1; });
  return one ? (above + below) / 2 : 0;
}

/// A head of several columns and the heads below it in one cell become two rows.
void part_groups(RuledTable& table, std::span<const Word> words, double em) {
  for (int row = table.rows - 1; row >= 0; --row) {
    std::vector<int> cuts;  // of each cell
    for (const GridCell& cell : table.cells)
      cuts.push_back(cell.row == row && cell.row_span == 1 && cell.column_span < table.columns
                         ? group_cut(cell, words, em)
                         : 0);
    if (std::all_of(cuts.begin(), cuts.end(), [](int cut) { return cut == 0; })) continue;
    std::vector<GridCell> cells;
    for (size_t i = 0; i < table.cells.size(); ++i) {
      GridCell cell = table.cells[i];
      if (cell.row > row) {
        ++cell.row;
      } else if (cuts[i] > 0) {
        GridCell below = cell;
        below.row = row + 1;
        below.box.y0 = cell.box.y1 = cuts[i];
        cells.push_back(below);
      } else if (cell.row + cell.row_span > row) {
        ++cell.row_span;
      }
      cells.push_back(cell);
    }
    table.cells = std::move(cells);
    ++table.rows;
  }
  sort_cells(table.cells);
}

}  // namespace

void part_heads(RuledTable& table, std::span<const Word> words, double em_px) {
  part_groups(table, words, em_px);
  cut_heads(table, words, em_px);
}

}  // namespace docspec
