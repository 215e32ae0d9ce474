#include "drafts/table/open_cells.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"
#include "drafts/grid/tall_cells.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/table_heads.h"

namespace docspec {
namespace {

bool crosses(const PhraseRow& row, int x) {
  return std::any_of(row.begin(), row.end(), [&](const Box& p) { return p.x0 < x && p.x1 > x; });
}
bool on_both_sides(const PhraseRow& row, int x) {
  return row.front().x1 <= x && row.back().x0 >= x;
}

/// A column line that the head alone has goes on through the rows whose text leaves it free.
void extend_columns(RuledTable& table, std::span<const Word> words, double em) {
  for (int c = 1; c < table.columns; ++c) {
    const int x = column_start(table, c);
    std::vector<size_t> free;  // cells
    int across = 0, beside = 0;
    for (size_t i = 0; x >= 0 && i < table.cells.size(); ++i) {
      const GridCell& cell = table.cells[i];
      if (cell.column >= c || cell.column + cell.column_span <= c) continue;
      const auto rows = phrase_rows(cell.box, words, em);
      const auto crossing =
          std::count_if(rows.begin(), rows.end(), [&](auto& row) { return crosses(row, x); });
      const auto both =
          std::count_if(rows.begin(), rows.end(), [&](auto& row) { return on_both_sides(row, x); });
      across += int(crossing);
      beside += int(both);
      if (crossing == 0 && both > 0) free.push_back(i);
    }
    if (beside < 2 || across * 4 > beside) continue;
    std::vector<GridCell> cells;
    for (size_t i = 0; i < table.cells.size(); ++i)
      if (std::find(free.begin(), free.end(), i) == free.end())
        cells.push_back(table.cells[i]);
      else
        cut_cell(cells, table.cells[i], c, x);
    table.cells = std::move(cells);
    sort_cells(table.cells);
  }
}

/// Whether a cell has text above y, and below it a number in each of its words.
bool number_below(const GridCell& cell, int y, std::span<const Word> words) {
  bool above = false, below = false;
  for (const Word& word : words) {
    if (!holds_middle(cell.box, word.box)) continue;
    const bool lower = word.box.y0 + word.box.y1 > 2 * y;
    if (lower && !is_numeric(word.text)) return false;
    (lower ? below : above) = true;
  }
  return above && below;
}

/// A line between two rows that is not seen in all columns goes on where numbers stand below it.
void extend_rows(RuledTable& table, std::span<const Word> words) {
  constexpr size_t kLeast = 2;
  for (int row = 1; row < table.rows; ++row) {
    const auto start = std::find_if(table.cells.begin(), table.cells.end(),
                                    [&](const GridCell& cell) { return cell.row == row; });
    if (start == table.cells.end()) continue;
    const int y = start->box.y0;
    std::vector<size_t> open;  // cells
    for (size_t i = 0; i < table.cells.size(); ++i) {
      const GridCell& cell = table.cells[i];
      if (cell.row < row && cell.row + cell.row_span > row && number_below(cell, y, words))
        open.push_back(i);
    }
    if (open.size() < kLeast) continue;
    for (size_t i : open) {
      GridCell below = table.cells[i];
      GridCell& above = table.cells[i];
      below.row = row;
      below.row_span = above.row + above.row_span - row;
      above.row_span = row - above.row;
      below.box.y0 = above.box.y1 = y;
      table.cells.push_back(below);
    }
    sort_cells(table.cells);
  }
}

/// The middles of the strips that at most `tolerated` rows of text cover, each where it is covered
/// least. `cover`: how many rows cover each pixel from x0 on.
std::vector<int> free_strips(const std::vector<int>& cover, int tolerated, int least_width) {
  std::vector<int> middles;
  for (size_t from = 0; from < cover.size();) {
    size_t to = from;
    while (to < cover.size() && cover[to] <= tolerated) ++to;
    if (to == from) {
      ++from;
      continue;
    }
    const auto least =
        std::min_element(cover.begin() + std::ptrdiff_t(from), cover.begin() + std::ptrdiff_t(to));
    const size_t middle = size_t(least - cover.begin());
    size_t end = middle;
    while (end < to && cover[end] == *least) ++end;
    if (to - from >= size_t(least_width)) middles.push_back(int(middle + end) / 2);
    from = to;
  }
  return middles;
}

/// Where the text of column `c` parts into columns of its own: where most of its rows part, or
/// where its head parts and hardly any row runs across, as in a table with many empty cells.
std::vector<int> column_cuts(const RuledTable& table, int c, std::span<const Word> words,
                             double em) {
  constexpr size_t kLeastRows = 3, kLeastSparse = 8;
  constexpr size_t kHead = 3;  // lines
  std::vector<PhraseRow> rows;
  Box box;
  for (const GridCell& cell : table.cells) {
    if (cell.column != c || cell.column_span > 1) continue;
    box = unite(box, cell.box);
    for (PhraseRow& row : phrase_rows(cell.box, words, em)) rows.push_back(std::move(row));
  }
  if (rows.size() < kLeastRows) return {};
  std::vector<int> cover(size_t(box.width()), 0);
  for (const PhraseRow& row : rows)
    for (const Box& phrase : row)
      for (int x = std::max(phrase.x0, box.x0); x < std::min(phrase.x1, box.x1); ++x)
        ++cover[size_t(x - box.x0)];
  const auto parted = [&](int x) {
    return size_t(std::count_if(rows.begin(), rows.end(),
                                [&](const PhraseRow& row) { return on_both_sides(row, x); }));
  };
  const auto left_of = [](const PhraseRow& row, int x) {
    return std::any_of(row.begin(), row.end(), [&](const Box& phrase) { return phrase.x1 <= x; });
  };
  const auto right_of = [](const PhraseRow& row, int x) {
    return std::any_of(row.begin(), row.end(), [&](const Box& phrase) { return phrase.x0 >= x; });
  };
  // Whether the head, and rows below it, stand on both sides.
  const auto sides_used = [&](int x) {
    size_t left = 0, right = 0;
    PhraseRow head;
    for (size_t r = 0; r < rows.size(); ++r)
      if (r < kHead)
        head.insert(head.end(), rows[r].begin(), rows[r].end());
      else
        left += left_of(rows[r], x), right += right_of(rows[r], x);
    return left_of(head, x) && right_of(head, x) && left >= 2 && right >= 2;
  };
  std::vector<int> cuts;
  for (int x : free_strips(cover, int(rows.size()) / 5, 1))
    if (const size_t both = parted(box.x0 + x); both * 10 >= rows.size() * 6 && both >= 3)
      cuts.push_back(box.x0 + x);
  if (rows.size() < kLeastSparse) return cuts;
  for (int x : free_strips(cover, int(rows.size()) / 20, int(em / 2))) {
    const bool known = std::any_of(cuts.begin(), cuts.end(),
                                   [&](int cut) { return std::abs(cut - box.x0 - x) < em; });
    if (!known && sides_used(box.x0 + x) && parted(box.x0 + x) >= 2) cuts.push_back(box.x0 + x);
  }
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

/// Makes column `c` two at x.
void insert_column(RuledTable& table, int c, int x, std::span<const Word> words, double em) {
  std::vector<GridCell> cells;
  for (GridCell cell : table.cells) {
    if (cell.column > c) {
      ++cell.column;
    } else if (cell.column + cell.column_span > c) {
      ++cell.column_span;
      const auto rows = phrase_rows(cell.box, words, em);
      const bool own = cell.column == c && cell.column_span == 2;
      if (own &&
          std::none_of(rows.begin(), rows.end(), [&](auto& row) { return crosses(row, x); })) {
        cut_cell(cells, cell, c + 1, x);
        continue;
      }
    }
    cells.push_back(cell);
  }
  table.cells = std::move(cells);
  ++table.columns;
  sort_cells(table.cells);
}

void split_open_columns(RuledTable& table, std::span<const Word> words, double em) {
  for (int c = table.columns - 1; c >= 0; --c) {
    const std::vector<int> cuts = column_cuts(table, c, words, em);
    for (auto x = cuts.rbegin(); x != cuts.rend(); ++x) insert_column(table, c, *x, words, em);
  }
}

/// Rows and columns without a word that are too thin for one: the space within double lines.
void drop_thin(RuledTable& table, std::span<const Word> words, double em) {
  for (const bool across : {true, false}) {
    int& count = across ? table.rows : table.columns;
    const auto first = [&](GridCell& cell) -> int& { return across ? cell.row : cell.column; };
    const auto span = [&](GridCell& cell) -> int& {
      return across ? cell.row_span : cell.column_span;
    };
    for (int k = count - 1; k >= 0 && count > 1; --k) {
      bool thin = false, used = false;
      for (GridCell& cell : table.cells) {
        if (first(cell) != k || span(cell) > 1) continue;
        thin |= (across ? cell.box.height() : cell.box.width()) < 0.9 * em;
        used |= std::any_of(words.begin(), words.end(),
                            [&](const Word& word) { return holds_middle(cell.box, word.box); });
      }
      if (!thin || used) continue;
      std::erase_if(table.cells,
                    [&](GridCell& cell) { return first(cell) == k && span(cell) == 1; });
      for (GridCell& cell : table.cells) {
        if (first(cell) <= k && first(cell) + span(cell) > k)
          --span(cell);
        else if (first(cell) > k)
          --first(cell);
      }
      --count;
    }
  }
}

/// How a row of cells that holds several lines of text parts.
struct RowCuts {
  std::vector<int> cuts;   ///< between its lines; none where they are not rows of their own
  std::set<int> spanning;  ///< columns whose text stands between the lines, as of all of them
};

/// The middles of the lines in a cell.
std::vector<double> line_middles(const GridCell& cell, std::span<const Word> words) {
  std::vector<Box> inside;
  for (const Word& word : words)
    if (holds_middle(cell.box, word.box)) inside.push_back(word.box);
  std::vector<double> middles;
  for (const auto& line : group_rows(inside)) {
    Box box;
    for (int i : line) box = unite(box, inside[size_t(i)]);
    middles.push_back((box.y0 + box.y1) / 2.0);
  }
  return middles;
}

/// Columns of these cells with one line that stands between two lines of the others; the first
/// column's line may be level with the middle one of them.
std::set<int> spanning_columns(const std::vector<GridCell>& cells, std::span<const Word> words) {
  constexpr double kBetween = 0.35, kLevel = 0.2;  // of the way from line to line
  std::vector<double> lines;
  std::vector<std::pair<int, double>> single;  // column, middle
  for (const GridCell& cell : cells) {
    const std::vector<double> own = line_middles(cell, words);
    if (own.size() == 1) single.emplace_back(cell.column, own[0]);
    if (own.size() > lines.size() && own.size() > 1) lines = own;
  }
  std::set<int> columns;
  for (const auto& [column, middle] : single) {
    const bool odd = lines.size() % 2 == 1 && lines.size() >= 3;
    const double pitch = odd ? (lines.back() - lines.front()) / double(lines.size() - 1) : 0;
    if (odd && column == cells.front().column &&
        std::abs(middle - (lines.front() + lines.back()) / 2) < kLevel * pitch)
      columns.insert(column);
    for (size_t i = 1; i < lines.size(); ++i) {
      const double at = (middle - lines[i - 1]) / (lines[i] - lines[i - 1]);
      if (at > kBetween && at < 1 - kBetween) columns.insert(column);
    }
  }
  return columns;
}

/// Where the numbers of a column part its row: "19.", "20.", "21." below each other, the others'
/// lines beside them, and what stands at their left is of all.
RowCuts cuts_at_numbers(const std::vector<GridCell>& cells, std::span<const Word> words) {
  for (const GridCell& cell : cells) {
    std::vector<Box> numbers;
    int last = 0;
    const bool counts = std::all_of(words.begin(), words.end(), [&](const Word& word) {
      if (!holds_middle(cell.box, word.box)) return true;
      const int number = std::atoi(word.text.c_str());
      if (word.text != std::to_string(number) + "." || (last && number != last + 1)) return false;
      last = number;
      numbers.push_back(word.box);
      return true;
    });
    if (!counts || numbers.size() < 2) continue;
    RowCuts found;
    for (size_t k = 1; k < numbers.size(); ++k)
      found.cuts.push_back(numbers[k].y0 - numbers[k].height() / 8);
    for (const GridCell& other : cells)
      if (other.column < cell.column) found.spanning.insert(other.column);
    if (std::is_sorted(found.cuts.begin(), found.cuts.end())) return found;
  }
  return {};
}

/// Where the lines of text of row `row` part, when they are rows of their own; else nothing.
RowCuts row_cuts(const RuledTable& table, int row, std::span<const Word> words) {
  constexpr size_t kLeastLines = 4;
  std::vector<GridCell> cells;
  for (const GridCell& cell : table.cells) {
    if (cell.row > row || cell.row + cell.row_span <= row) continue;
    if (cell.row_span > 1) return {};
    cells.push_back(cell);
  }
  if (RowCuts found = cuts_at_numbers(cells, words); !found.cuts.empty()) return found;
  const std::set<int> spanning = spanning_columns(cells, words);
  std::vector<Box> inside;
  std::vector<int> column;
  std::vector<bool> number;
  int columns = 0;
  for (const GridCell& cell : cells) {
    if (spanning.contains(cell.column)) continue;
    ++columns;
    for (const Word& word : words)
      if (holds_middle(cell.box, word.box)) {
        inside.push_back(word.box);
        column.push_back(cell.column);
        number.push_back(is_numeric(word.text));
      }
  }
  const auto lines = group_rows(inside);
  if (columns < 2 || lines.size() < 2) return {};
  std::vector<int> cuts;
  size_t full = 0, numbers = 0;
  std::map<int, size_t> values;  // lines with a number, by column
  Box above;
  for (const auto& line : lines) {
    std::map<int, int> filled;  // words that are none or numbers, of each column
    Box box;
    for (int i : line) {
      filled[column[size_t(i)]] += number[size_t(i)] ? 1 : -1;
      box = unite(box, inside[size_t(i)]);
    }
    full += filled.size() > 1 && filled.size() * 2 >= size_t(columns);
    size_t counted = 0;
    for (const auto& [c, surplus] : filled)
      if (surplus >= 0) ++counted, ++values[c];
    numbers += counted * 2 >= size_t(columns);
    if (!above.empty()) cuts.push_back((above.y1 + box.y0) / 2);
    above = box;
  }
  // Two columns that have a number in each line: the others are empty in many.
  const auto full_columns = std::count_if(values.begin(), values.end(),
                                          [&](const auto& v) { return v.second == lines.size(); });
  const bool rows_of_numbers = (numbers >= 2 && numbers * 2 >= lines.size()) || full_columns >= 2;
  const bool rows_of_text = lines.size() >= kLeastLines && full * 10 >= lines.size() * 9;
  return rows_of_numbers || rows_of_text ? RowCuts{cuts, spanning} : RowCuts();
}

}  // namespace

void split_open_rows(RuledTable& table, std::span<const Word> words) {
  for (int row = table.rows - 1; row >= 0; --row) {
    const auto [cuts, spanning] = row_cuts(table, row, words);
    if (cuts.empty()) continue;
    const int more = int(cuts.size());
    std::vector<GridCell> cells;
    for (GridCell cell : table.cells) {
      if (cell.row != row) {
        if (cell.row > row) cell.row += more;
        cells.push_back(cell);
        continue;
      }
      if (spanning.contains(cell.column)) {
        cell.row_span += more;
        cells.push_back(cell);
        continue;
      }
      const Box whole = cell.box;
      for (int k = 0; k <= more; ++k) {
        cell.row = row + k;
        cell.box.y0 = k == 0 ? whole.y0 : cuts[size_t(k) - 1];
        cell.box.y1 = k == more ? whole.y1 : cuts[size_t(k)];
        cells.push_back(cell);
      }
    }
    table.cells = std::move(cells);
    table.rows += more;
  }
  sort_cells(table.cells);
}

void cut_open_cells(RuledTable& table, std::span<const Word> words, double em_px) {
  drop_thin(table, words, em_px);
  extend_rows(table, words);
  split_tall_cells(table, words);
  extend_columns(table, words, em_px);
  split_open_columns(table, words, em_px);
  part_heads(table, words, em_px);
  split_open_rows(table, words);
}

}  // namespace docspec
