#include "drafts/grid/ruled_table.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "drafts/grid/cell_text.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

int root(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/// Lines that hang together by crossing or touching, `least_across` of them across and more.
std::vector<RulingLines> connected(const RulingLines& lines, int reach, size_t least_across) {
  const size_t n = lines.across.size(), all = n + lines.down.size();
  std::vector<int> parent(all);
  std::iota(parent.begin(), parent.end(), 0);
  for (size_t a = 0; a < n; ++a)
    for (size_t d = n; d < all; ++d) {
      const Box &h = lines.across[a], &v = lines.down[d - n];
      const Box grown{h.x0 - reach, h.y0 - reach, h.x1 + reach, h.y1 + reach};
      if (!intersect(grown, v).empty()) parent[root(parent, int(d))] = root(parent, int(a));
    }
  std::vector<RulingLines> groups(all);
  for (size_t i = 0; i < all; ++i) {
    RulingLines& group = groups[size_t(root(parent, int(i)))];
    if (i < n)
      group.across.push_back(lines.across[i]);
    else
      group.down.push_back(lines.down[i - n]);
  }
  std::erase_if(groups, [&](const RulingLines& group) {
    return group.across.size() < least_across || group.down.empty();
  });
  return groups;
}

/// Positions that lie nearer than `apart` to each other become one, their middle.
std::vector<int> clusters(std::vector<int> values, int apart) {
  std::sort(values.begin(), values.end());
  std::vector<int> out;
  for (size_t from = 0; from < values.size();) {
    size_t to = from + 1;
    while (to < values.size() && values[to] - values[to - 1] < apart) ++to;
    out.push_back((values[from] + values[to - 1]) / 2);
    from = to;
  }
  return out;
}

using Run = std::pair<int, int>;

/// Length of what the runs cover together.
int length(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end());
  int sum = 0, end = INT_MIN;
  for (const auto& [from, to] : runs) {
    sum += std::max(0, to - std::max(from, end));
    end = std::max(end, to);
  }
  return sum;
}

/// The grid of one group of lines, its missing segments as spans.
class Grid {
 public:
  Grid(const RulingLines& lines, int apart) : lines_(lines), apart_(apart) {
    Box box;
    for (const Box& line : lines.across) box = unite(box, line);
    for (const Box& line : lines.down) box = unite(box, line);
    std::vector<int> xs, ys;
    for (const Box& line : lines.down) xs.push_back((line.x0 + line.x1) / 2);
    for (const Box& line : lines.across) ys.push_back((line.y0 + line.y1) / 2);
    // Many tables are open at the sides: their rows end where the lines end.
    xs.insert(xs.end(), {box.x0, box.x1});
    ys.insert(ys.end(), {box.y0, box.y1});
    xs_ = clusters(xs, apart);
    ys_ = clusters(ys, apart);
  }

  int columns() const { return int(xs_.size()) - 1; }
  int rows() const { return int(ys_.size()) - 1; }

  RuledTable table() const {
    std::vector<int> parent(size_t(rows()) * columns());
    std::iota(parent.begin(), parent.end(), 0);
    const auto at = [&](int r, int c) { return r * columns() + c; };
    for (int r = 0; r < rows(); ++r)
      for (int c = 0; c < columns(); ++c) {
        if (c + 1 < columns() && !drawn_down(c + 1, r))
          parent[root(parent, at(r, c + 1))] = root(parent, at(r, c));
        if (r + 1 < rows() && !drawn_across(r + 1, c))
          parent[root(parent, at(r + 1, c))] = root(parent, at(r, c));
      }
    RuledTable out{{xs_.front(), ys_.front(), xs_.back(), ys_.back()}, rows(), columns(), {}};
    std::vector<bool> done(parent.size(), false);
    for (int r = 0; r < rows(); ++r)
      for (int c = 0; c < columns(); ++c) {
        if (done[size_t(at(r, c))]) continue;
        GridCell cell{r, c, 1, 1, {}};
        const int own = root(parent, at(r, c));
        const auto same = [&](int row, int column) {
          return root(parent, at(row, column)) == own && !done[size_t(at(row, column))];
        };
        while (c + cell.column_span < columns() && same(r, c + cell.column_span))
          ++cell.column_span;
        const auto row_same = [&](int row) {
          for (int k = c; k < c + cell.column_span; ++k)
            if (!same(row, k)) return false;
          return true;
        };
        while (r + cell.row_span < rows() && row_same(r + cell.row_span)) ++cell.row_span;
        for (int row = r; row < r + cell.row_span; ++row)
          for (int k = c; k < c + cell.column_span; ++k) done[size_t(at(row, k))] = true;
        cell.box = {xs_[c], ys_[r], xs_[c + cell.column_span], ys_[r + cell.row_span]};
        out.cells.push_back(cell);
      }
    return out;
  }

 private:
  /// Is most of the segment of column line `c` beside row `r` drawn?
  bool drawn_down(int c, int r) const {
    std::vector<Run> drawn;
    for (const Box& line : lines_.down)
      if (std::abs((line.x0 + line.x1) / 2 - xs_[c]) < apart_)
        drawn.emplace_back(std::max(line.y0, ys_[r]), std::min(line.y1, ys_[r + 1]));
    return length(std::move(drawn)) * 2 > ys_[r + 1] - ys_[r];
  }
  bool drawn_across(int r, int c) const {
    std::vector<Run> drawn;
    for (const Box& line : lines_.across)
      if (std::abs((line.y0 + line.y1) / 2 - ys_[r]) < apart_)
        drawn.emplace_back(std::max(line.x0, xs_[c]), std::min(line.x1, xs_[c + 1]));
    return length(std::move(drawn)) * 2 > xs_[c + 1] - xs_[c];
  }

  const RulingLines& lines_;
  int apart_;
  std::vector<int> xs_, ys_;
};

/// Numbers the rows (or columns) of a grid anew without those at which no cell begins: pieces of a
/// line made them, and HTML would take each for a row of its own.
void drop_unused(std::vector<GridCell>& cells, int& count, int GridCell::*first,
                 int GridCell::*span) {
  std::vector<int> before(size_t(count) + 1, 0);  // lines at which a cell begins, before each
  for (const GridCell& cell : cells) before[size_t(cell.*first) + 1] = 1;
  std::partial_sum(before.begin(), before.end(), before.begin());
  for (GridCell& cell : cells) {
    const int end = before[size_t(cell.*first + cell.*span)];
    cell.*first = before[size_t(cell.*first)];
    cell.*span = end - cell.*first;
  }
  count = before.back();
}

}  // namespace

bool holds_text(const RuledTable& table, std::span<const Box> boxes) {
  std::set<int> columns, rows;
  std::map<int, size_t> cells, texts;  // of a row
  size_t filled = 0, all = 0, most = 0;
  for (const GridCell& cell : table.cells) {
    const size_t count = size_t(std::count_if(
        boxes.begin(), boxes.end(), [&](const Box& box) { return holds_middle(cell.box, box); }));
    ++cells[cell.row];
    if (count == 0) continue;
    ++texts[cell.row];
    ++filled;
    all += count;
    most = std::max(most, count);
    if (cell.column_span < table.columns) columns.insert(cell.column);
    rows.insert(cell.row);
  }
  // The head of a bill and an item, whose other rows are not in use.
  constexpr size_t kLeastHeads = 4;
  const auto is_full = [&](const auto& row) {
    return row.second >= kLeastHeads && row.second * 10 >= cells[row.first] * 8;
  };
  const bool has_head = filled * 8 > table.cells.size() && is_full(*texts.begin()) &&
                        std::count_if(texts.begin(), texts.end(), [&](const auto& row) {
                          return row.second * 2 > texts.begin()->second;
                        }) > 1;
  const bool enough =
      filled * 10 >= table.cells.size() * 3 || int(rows.size()) * 10 >= table.rows * 7 || has_head;
  return columns.size() >= 2 && rows.size() >= 2 && enough && most * 10 < all * 9;
}

bool has_labels(const RuledTable& table, std::span<const Box> words) {
  constexpr std::ptrdiff_t kMostWords = 8;
  constexpr int kLeastLabels = 2;
  int labels = 0;
  for (const GridCell& cell : table.cells) {
    if (cell.column > 0 || cell.column_span == table.columns) continue;
    const auto count = std::count_if(words.begin(), words.end(),
                                     [&](const Box& word) { return holds_middle(cell.box, word); });
    if (count > kMostWords) return false;
    labels += count > 0;
  }
  return labels >= kLeastLabels;
}

namespace {

std::vector<RuledTable> tables_of_groups(const RulingLines& lines, double em_px,
                                         size_t least_across) {
  constexpr size_t kMostLines = 400;  // of one table: hatching and charts have more
  constexpr size_t kMostOnPage = 4000;
  std::vector<RuledTable> tables;
  if (lines.across.size() + lines.down.size() > kMostOnPage) return tables;
  for (const RulingLines& group : connected(lines, std::max(2, int(0.25 * em_px)), least_across)) {
    if (group.across.size() + group.down.size() > kMostLines) continue;
    const Grid grid(group, std::max(3, int(0.5 * em_px)));
    if (grid.columns() < 2 || grid.rows() < 2) continue;
    RuledTable table = grid.table();
    drop_unused(table.cells, table.rows, &GridCell::row, &GridCell::row_span);
    drop_unused(table.cells, table.columns, &GridCell::column, &GridCell::column_span);
    if (table.columns < 2 || table.rows < 2) continue;
    const auto columns_kept = std::any_of(table.cells.begin(), table.cells.end(), [&](auto& cell) {
      return cell.column_span < table.columns;
    });
    if (columns_kept && table.cells.size() >= 4) tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

std::vector<RuledTable> find_ruled_tables(const RulingLines& lines, double em_px) {
  return tables_of_groups(lines, em_px, 2);
}

std::vector<RuledTable> find_crossed_tables(const RulingLines& lines, std::span<const Box> words,
                                            double em_px) {
  std::vector<RuledTable> tables = tables_of_groups(lines, em_px, 1);
  std::erase_if(tables, [&](const RuledTable& table) {
    const auto is_filled = [&](const GridCell& cell) {
      return std::any_of(words.begin(), words.end(),
                         [&](const Box& word) { return holds_middle(cell.box, word); });
    };
    return table.rows != 2 || int(table.cells.size()) != 2 * table.columns ||
           !std::all_of(table.cells.begin(), table.cells.end(), is_filled);
  });
  return tables;
}

}  // namespace docspec
