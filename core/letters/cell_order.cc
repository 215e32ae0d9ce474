#include "core/letters/cell_order.h"

#include <algorithm>
#include <map>
#include <utility>

namespace docspec {
namespace {

/// A token's middle, and the row or column that its cell begins and ends in.
struct Vote {
  int at = 0, from = 0, to = 0;
};

/// The pixel that parts rows or columns before `index` from those after: fewest votes are on the
/// wrong side, and of these the middle of the widest gap.
int best_cut(const std::vector<Vote>& sorted, int index) {
  size_t wrong = 0;  // of a cut before all
  for (const Vote& vote : sorted) wrong += vote.to <= index;
  size_t least = wrong;
  int cut = sorted.empty() ? 0 : sorted.front().at - 1, widest = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].to <= index) --wrong;
    if (sorted[i].from >= index) ++wrong;
    const bool last = i + 1 == sorted.size();
    const int gap = last ? 1 : sorted[i + 1].at - sorted[i].at;
    if (wrong > least || gap == 0 || (wrong == least && gap <= widest)) continue;
    least = wrong;
    widest = gap;
    cut = last ? sorted[i].at + 1 : sorted[i].at + (gap + 1) / 2;
  }
  return cut;
}

std::vector<int> cuts_of(std::vector<Vote> votes, int count) {
  std::sort(votes.begin(), votes.end(), [](auto& a, auto& b) { return a.at < b.at; });
  std::vector<int> out;
  for (int index = 1; index < count; ++index) out.push_back(best_cut(votes, index));
  return out;
}

int middle_x(const Box& box) {
  return (box.x0 + box.x1) / 2;
}
int middle_of(const Box& box) {
  return (box.y0 + box.y1) / 2;
}

int part_of(const std::vector<int>& cuts, int at) {
  return int(std::count_if(cuts.begin(), cuts.end(), [at](int cut) { return cut <= at; }));
}

}  // namespace

std::vector<CellPlace> cell_places(const Table& table) {
  std::vector<CellPlace> out;
  std::map<int, int> taken;  // column -> rows of it that spans still take
  for (int row = 0; row < int(table.rows.size()); ++row) {
    int column = 0;
    std::map<int, int> begun;
    for (const TableCell& cell : table.rows[size_t(row)]) {
      while (taken[column] > 0) ++column;
      const int columns = std::max(cell.colspan, 1), rows = std::max(cell.rowspan, 1);
      out.push_back({row, row + rows, column, column + columns});
      for (int i = 0; i < columns; ++i) begun[column + i] = rows;
      column += columns;
    }
    for (auto& [at, rows] : taken) rows = std::max(0, rows - 1);
    for (const auto& [at, rows] : begun) taken[at] = rows - 1;
  }
  return out;
}

bool order_by_cells(std::span<const CellPlace> cells, std::span<const size_t> votes,
                    std::vector<PageToken>& tokens) {
  constexpr size_t kLeastVotes = 4;
  std::vector<Vote> down, across;
  int rows = 0, columns = 0;
  for (const CellPlace& cell : cells) {
    rows = std::max(rows, cell.row_to);
    columns = std::max(columns, cell.column_to);
  }
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (votes[i] >= cells.size()) continue;
    const CellPlace& cell = cells[votes[i]];
    down.push_back({middle_of(tokens[i].box), cell.row, cell.row_to});
    across.push_back({middle_x(tokens[i].box), cell.column, cell.column_to});
  }
  if (down.size() < kLeastVotes) return false;
  const std::vector<int> row_cuts = cuts_of(down, rows), column_cuts = cuts_of(across, columns);
  const auto cell_at = [&](const Box& box) {
    const int row = part_of(row_cuts, middle_of(box)), column = part_of(column_cuts, middle_x(box));
    for (size_t i = 0; i < cells.size(); ++i)
      if (row >= cells[i].row && row < cells[i].row_to && column >= cells[i].column &&
          column < cells[i].column_to)
        return i;
    return SIZE_MAX;
  };
  size_t wrong = 0;
  std::vector<size_t> of(tokens.size(), SIZE_MAX);
  Box inside;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool voted = votes[i] < cells.size();
    if (tokens[i].inside || voted) of[i] = cell_at(tokens[i].box);
    wrong += voted && of[i] != votes[i];
    if (tokens[i].inside) inside = unite(inside, tokens[i].box);
  }
  if (10 * wrong > down.size()) return false;
  std::vector<std::pair<ptrdiff_t, size_t>> order;  // of the tokens by their cells
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool above = middle_of(tokens[i].box) < (inside.y0 + inside.y1) / 2;
    order.emplace_back(of[i] != SIZE_MAX ? ptrdiff_t(of[i])
                       : above           ? -1
                                         : ptrdiff_t(cells.size()),
                       i);
  }
  std::sort(order.begin(), order.end());
  std::vector<PageToken> out;
  size_t line = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    const PageToken& token = tokens[order[k].second];
    const bool goes_on = k > 0 && order[k].first == order[k - 1].first &&
                         token.line == tokens[order[k - 1].second].line;
    if (k > 0 && !goes_on) {
      ++line;
      out.back().aligned.line_end = true;
    }
    out.push_back(token);
    out.back().line = line;
    out.back().cell = of[order[k].second];
    if (out.back().cell != SIZE_MAX) out.back().inside = true, out.back().aligned.outside = false;
  }
  tokens = std::move(out);
  return true;
}

}  // namespace docspec
