#include "drafts/table/grow_table.h"

#include <algorithm>
#include <set>
#include <vector>

#include "drafts/table/cell_text.h"

namespace docspec {
namespace {

/// Where each column begins, and where the last one ends; empty if one is not known.
std::vector<int> column_starts(const RuledTable& table) {
  std::vector<int> starts;
  for (int c = 0; c < table.columns; ++c) starts.push_back(column_start(table, c));
  starts.push_back(table.box.x1);
  return std::is_sorted(starts.begin(), starts.end()) && starts.front() >= 0 ? starts
                                                                             : std::vector<int>();
}

}  // namespace

bool fits_columns(const RuledTable& table, std::span<const TextLine> lines,
                  std::span<const Word> words, double em_px) {
  constexpr int kLeastColumns = 3;
  constexpr size_t kMostWords = 7;
  constexpr double kOver = 0.5;  // em: heads may be a little wider than their columns
  const std::vector<int> starts = column_starts(table);
  if (starts.empty() || table.columns < kLeastColumns) return false;
  std::set<int> filled;
  for (const TextLine& line : lines) {
    if (line.words.empty() || line.words.size() > kMostWords || line.quarter_turns != 0)
      return false;
    for (int w : line.words) {
      const Box& box = words[size_t(w)].box;
      int column = 0;
      for (int c = 1; c < table.columns; ++c) {
        const int x = starts[size_t(c)];
        if (std::min(x - box.x0, box.x1 - x) > kOver * em_px) return false;
        if ((box.x0 + box.x1) / 2 >= x) column = c;
      }
      filled.insert(column);
    }
  }
  return int(filled.size()) >= kLeastColumns && int(filled.size()) * 10 >= table.columns * 6;
}

void add_row(RuledTable& table, int y) {
  const std::vector<int> starts = column_starts(table);
  const bool above = y < table.box.y0;
  if (above)
    for (GridCell& cell : table.cells) ++cell.row;
  for (int c = 0; c < table.columns; ++c) {
    const int x0 = starts[size_t(c)], x1 = starts[size_t(c) + 1];
    const Box box = above ? Box{x0, y, x1, table.box.y0} : Box{x0, table.box.y1, x1, y};
    table.cells.push_back({above ? 0 : table.rows, c, 1, 1, box});
  }
  (above ? table.box.y0 : table.box.y1) = y;
  ++table.rows;
  sort_cells(table.cells);
}

}  // namespace docspec
