#include "drafts/table/table_structure.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "core/base/median.h"
#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"
#include "drafts/lines/font_style.h"
#include "drafts/table/grow_table.h"

namespace docspec {
namespace {

constexpr int kLeastRows = 3;
constexpr double kLeastOccupancy = 0.6;
constexpr double kLeastUnderHeader =
    0.35;  // where the first row names every one of 3 or more columns

double typical_size(const std::vector<TextLine>& lines) {
  std::vector<double> sizes;
  for (const TextLine& line : lines) sizes.push_back(line.size_px);
  return median(std::move(sizes));
}

/// One line of text of the table and its cells, whose rows are not known yet.
struct TextRow {
  std::vector<CellLines> cells;
  Box box;
  bool ruled_below = false;

  /// Cells beside the first column, and those of them that hold a number.
  int values() const {
    return int(std::count_if(cells.begin(), cells.end(), [](auto& c) { return c.column > 0; }));
  }
  int numbers(std::span<const Word> words) const {
    return int(std::count_if(cells.begin(), cells.end(), [&](const CellLines& c) {
      const std::vector<int>& line = c.lines.front();
      if (c.column == 0 || line.empty()) return false;
      const bool money = line.size() > 1 && is_money_sign(words[size_t(line[0])].text);
      return is_numeric(words[size_t(line[money ? 1 : 0])].text);
    }));
  }
  bool of_numbers(std::span<const Word> words) const {
    return values() > 0 && numbers(words) * 2 >= values();
  }
};

/// The cells of one row: each phrase goes to the columns it lies over, but for one in whose middle
/// its neighbour stands.
std::vector<CellLines> row_cells(const TableColumns& found, const std::vector<int>& row,
                                 double em) {
  const auto& columns = found.columns;
  std::vector<int> nearest;  // of each phrase
  for (int i : row) {
    const Box& b = found.phrases[size_t(i)].box;
    const auto offset = [&](const ColumnSpan& c) { return std::abs(b.x0 + b.x1 - c.from - c.to); };
    nearest.push_back(
        int(std::min_element(columns.begin(), columns.end(),
                             [&](auto& x, auto& y) { return offset(x) < offset(y); }) -
            columns.begin()));
  }
  std::vector<CellLines> cells;
  for (size_t k = 0; k < row.size(); ++k) {
    const TextLine& phrase = found.phrases[size_t(row[k])];
    const Box& b = phrase.box;
    int first = -1, last = -1;
    for (int c = 0; c < int(columns.size()); ++c) {
      if (std::min(b.x1, columns[size_t(c)].to) - std::max(b.x0, columns[size_t(c)].from) <
          0.3 * em)
        continue;
      if (first < 0) first = c;
      last = c;
    }
    if (first < 0) first = last = nearest[k];
    if (k + 1 < row.size() && nearest[k + 1] > nearest[k])
      last = std::clamp(nearest[k + 1] - 1, first, last);
    if (k > 0 && nearest[k - 1] < nearest[k]) first = std::clamp(nearest[k - 1] + 1, first, last);
    if (!cells.empty() && first < cells.back().column + cells.back().column_span) {
      CellLines& cell = cells.back();
      cell.lines.back().insert(cell.lines.back().end(), phrase.words.begin(), phrase.words.end());
      cell.column_span = std::max(cell.column_span, last - cell.column + 1);
    } else {
      cells.push_back({0, first, last - first + 1, 1, {phrase.words}});
    }
  }
  return cells;
}

/// Makes a label of two lines and the values that stand at the height of its middle one row.
void join_labels(std::vector<TextRow>& rows) {
  const auto is_label = [](const TextRow& row) {
    return row.cells.size() == 1 && row.cells[0].column == 0 && row.cells[0].column_span == 1;
  };
  for (size_t r = 0; r + 2 < rows.size(); ++r) {
    TextRow &label = rows[r], &values = rows[r + 1], &rest = rows[r + 2];
    if (!is_label(label) || !is_label(rest) || values.cells.empty() ||
        values.cells[0].column == 0 || label.box.y1 <= values.box.y0 ||
        values.box.y1 <= rest.box.y0)
      continue;
    auto& lines = label.cells[0].lines;
    lines.insert(lines.end(), rest.cells[0].lines.begin(), rest.cells[0].lines.end());
    label.cells.insert(label.cells.end(), values.cells.begin(), values.cells.end());
    label.box = unite(unite(label.box, values.box), rest.box);
    rows.erase(rows.begin() + std::ptrdiff_t(r) + 1, rows.begin() + std::ptrdiff_t(r) + 3);
  }
}

bool names_years(const TextRow& row, std::span<const Word> words) {
  return std::all_of(row.cells.begin(), row.cells.end(), [&](const CellLines& cell) {
    const std::string& last = words[size_t(cell.lines.front().back())].text;
    return last.size() == 4 && (last.starts_with("19") || last.starts_with("20"));
  });
}

std::vector<TextRow> text_rows(const TableColumns& found, std::span<const Word> words, double em,
                               std::span<const Box> rules) {
  std::vector<TextRow> rows;
  Box all;
  for (const auto& row : group_rows(found.phrases)) {
    rows.push_back({row_cells(found, row, em), {}, false});
    for (int i : row) rows.back().box = unite(rows.back().box, found.phrases[size_t(i)].box);
    constexpr std::ptrdiff_t kShade = 4;  // cells
    const auto lone = [&](const Box& rule) {
      return std::count_if(row.begin(), row.end(), [&](int i) {
               const Box& cell = found.phrases[size_t(i)].box;
               return cell.x1 > rule.x0 && cell.x0 < rule.x1;
             }) < kShade;
    };
    // Below numbers but years, as above a total, it is the end of a sum.
    if (rows.back().cells.size() == row.size() &&
        (!rows.back().of_numbers(words) || names_years(rows.back(), words)))
      for (size_t k = 0; k < row.size(); ++k) {
        CellLines& cell = rows.back().cells[k];
        const auto [first, count] =
            columns_at_rule(found, found.phrases[size_t(row[k])].box, rules, em, lone);
        if (count > cell.column_span) cell.column = first, cell.column_span = count;
      }
    all = unite(all, rows.back().box);
  }
  join_labels(rows);
  for (size_t r = 0; r + 1 < rows.size(); ++r)
    rows[r].ruled_below = std::any_of(rules.begin(), rules.end(), [&](const Box& rule) {
      const int y = (rule.y0 + rule.y1) / 2;
      return y > (rows[r].box.y0 + rows[r].box.y1) / 2 &&
             y < (rows[r + 1].box.y0 + rows[r + 1].box.y1) / 2 &&
             rule.width() * 10 > all.width() * 6;
    });
  return rows;
}

/// How many rows at the top are the lines of one head; 0 when nothing tells.
size_t head_rows(const std::vector<TextRow>& rows, std::span<const Word> words, double em) {
  constexpr size_t kMost = 6;
  size_t head = 0;
  while (head < rows.size() && !rows[head].of_numbers(words) && !rows[head].ruled_below) ++head;
  const bool ruled = head < rows.size() && rows[head].ruled_below && !rows[head].of_numbers(words);
  head += ruled;
  if (head == rows.size() || head > kMost) return 0;
  for (size_t r = 1; r < head && !ruled; ++r)  // else it may be a row without numbers
    if (rows[r].box.y0 - rows[r - 1].box.y1 > 0.5 * em) return 0;
  return head;
}

/// Builds the grid row by row.
class GridMaker {
 public:
  GridMaker(int columns, double em) : em_(em) { grid_.columns = columns; }

  /// The rows of a head as one, or as several where a cell spans others below it.
  void add_head(std::span<const TextRow> rows) {
    std::vector<int> level(rows.size(), 0);
    for (size_t r = 1, first = 0; r < rows.size(); ++r) {
      const bool opens = opens_level(rows.subspan(first, r - first), rows[r]);
      level[r] = level[r - 1] + opens;
      if (opens) first = r;
    }
    const int levels = level.back() + 1;
    std::vector<int> covered(size_t(grid_.columns), -1);  // level of the cell above
    std::vector<CellLines> own(size_t(grid_.columns));
    for (size_t r = 0; r < rows.size(); ++r)
      for (const CellLines& cell : rows[r].cells) {
        if (cell.column_span == 1) {
          auto& lines = own[size_t(cell.column)].lines;
          lines.insert(lines.end(), cell.lines.begin(), cell.lines.end());
          continue;
        }
        CellLines spanning = cell;
        spanning.row = level[r];
        add_or_append(spanning);
        for (int c = cell.column; c < cell.column + cell.column_span; ++c)
          covered[size_t(c)] = level[r];
      }
    for (int c = 0; c < grid_.columns; ++c) {
      if (own[size_t(c)].lines.empty()) continue;
      const int row = std::min(covered[size_t(c)] + 1, levels - 1);
      add_or_append({row, c, 1, levels - row, own[size_t(c)].lines});
    }
    grid_.rows = levels;
  }

  /// Lines between two rules as one row.
  void add_one(std::span<const TextRow> rows) {
    for (const TextRow& row : rows)
      for (CellLines cell : row.cells) {
        cell.row = grid_.rows;
        add_or_append(cell);
      }
    ++grid_.rows;
  }

  /// Each line as a row, but for what goes on with the row above.
  void add_each(std::span<const TextRow> rows, std::span<const Word> words) {
    std::vector<double> pitches;
    for (size_t r = 1; r < rows.size(); ++r) pitches.push_back(pitch(rows[r - 1], rows[r]));
    const double usual = pitches.empty() ? 0 : median(std::move(pitches));
    for (size_t r = 0; r < rows.size(); ++r)
      if (r > 0 && (continues(rows[r], rows[r - 1], words) ||
                    is_label_of(rows[r - 1], rows[r], usual, words))) {
        for (CellLines cell : rows[r].cells) {
          cell.row = grid_.rows - 1;
          add_or_append(cell);
        }
      } else {
        add_one(rows.subspan(r, 1));
      }
  }

  TableGrid take() {
    std::stable_sort(grid_.cells.begin(), grid_.cells.end(),
                     [](const CellLines& a, const CellLines& b) {
                       return std::pair(a.row, a.column) < std::pair(b.row, b.column);
                     });
    return std::move(grid_);
  }

 private:
  /// Whether two cells of `row` stand below one that spans them.
  static bool opens_level(std::span<const TextRow> above, const TextRow& row) {
    const auto spans_two = [&](const CellLines& over) {
      const auto below = std::count_if(row.cells.begin(), row.cells.end(), [&](auto& cell) {
        return cell.column >= over.column &&
               cell.column + cell.column_span <= over.column + over.column_span;
      });
      return over.column_span > 1 && below >= 2;
    };
    return std::any_of(above.begin(), above.end(), [&](const TextRow& upper) {
      return std::any_of(upper.cells.begin(), upper.cells.end(), spans_two);
    });
  }

  static Box cell_box(const CellLines& cell, std::span<const Word> words) {
    Box box;
    for (const auto& line : cell.lines)
      for (int w : line) box = unite(box, words[size_t(w)].box);
    return box;
  }

  /// Whether a cell begins far from where the one above it does, and is not set straight below it:
  /// a heading amid the rows.
  bool is_aside(const CellLines& cell, const TextRow& above, std::span<const Word> words) const {
    constexpr double kFar = 3;  // em
    const auto upper = std::find_if(above.cells.begin(), above.cells.end(), [&](auto& other) {
      return other.column <= cell.column && cell.column < other.column + other.column_span;
    });
    if (upper == above.cells.end()) return false;
    const Box own = cell_box(cell, words), other = cell_box(*upper, words);
    return std::abs(own.x0 - other.x0) > kFar * em_ && !is_straight(own, other, em_);
  }

  /// Whether two rows end with amounts in one column: a total, and the next one.
  static bool are_totals(const TextRow& above, const TextRow& row, std::span<const Word> words) {
    const auto is_amount = [&](const CellLines& cell) {
      const std::string& last = words[size_t(cell.lines.back().back())].text;
      return is_numeric(last) && last[0] != '(' && last.find_first_of(".,") != last.npos;
    };
    return above.cells.back().column == row.cells.back().column && row.cells.size() > 1 &&
           is_amount(above.cells.back()) && is_amount(row.cells.back());
  }

  /// Is this row the rest of the cells above it?
  bool continues(const TextRow& row, const TextRow& above, std::span<const Word> words) const {
    const bool near = row.box.y0 - above.box.y1 < 0.35 * em_;
    const bool first_empty = row.cells.empty() || row.cells.front().column > 0;
    if (first_empty)
      return near && int(row.cells.size()) * 2 <= grid_.columns && !are_totals(above, row, words) &&
             (row.cells.size() != 1 || !is_aside(row.cells.front(), above, words));
    if (row.cells.size() > 1 && above.cells.size() > 1) return false;
    const std::string& first = words[size_t(row.cells.front().lines.front().front())].text;
    const bool goes_on = std::islower(uint8_t(first[0])) || first[0] == '(';
    return goes_on && above.cells.front().column == 0 && row.box.y0 - above.box.y1 < 0.6 * em_;
  }

  static double pitch(const TextRow& upper, const TextRow& lower) {
    return (lower.box.y0 + lower.box.y1 - upper.box.y0 - upper.box.y1) / 2.0;
  }

  /// Whether a label alone is the first line of the one below it, nearer than rows are. A bold one
  /// above another heads the rows below it.
  static bool is_label_of(const TextRow& label, const TextRow& row, double usual_pitch,
                          std::span<const Word> words) {
    constexpr double kNear = 0.8;
    const auto bold = [&](const TextRow& of) {
      const Word& word = words[size_t(of.cells[0].lines.front().front())];
      return word.heavy || font_style(word.font).bold;
    };
    return label.cells.size() == 1 && label.cells[0].column == 0 &&
           label.cells[0].column_span == 1 && row.cells.size() > 1 && row.cells[0].column == 0 &&
           pitch(label, row) < kNear * usual_pitch && bold(label) == bold(row);
  }

  void add_or_append(const CellLines& cell) {
    const auto home = std::find_if(grid_.cells.begin(), grid_.cells.end(), [&](const CellLines& c) {
      return c.row == cell.row && c.column <= cell.column && cell.column < c.column + c.column_span;
    });
    if (home == grid_.cells.end())
      grid_.cells.push_back(cell);
    else
      home->lines.insert(home->lines.end(), cell.lines.begin(), cell.lines.end());
  }

  TableGrid grid_;
  double em_;
};

/// Adds what stands below the head: lines between rules are one row unless they are rows of
/// numbers.
void add_body(GridMaker& maker, std::span<const TextRow> rows, std::span<const Word> words) {
  constexpr int kLeastZones = 3;
  const auto zones = 1 + std::count_if(rows.begin(), rows.end(),
                                       [](const TextRow& row) { return row.ruled_below; });
  for (size_t from = 0; from < rows.size();) {
    size_t to = from;
    while (to < rows.size() && !rows[to].ruled_below) ++to;
    to = std::min(to + 1, rows.size());
    const auto zone = rows.subspan(from, to - from);
    const auto numbers =
        std::count_if(zone.begin(), zone.end(), [&](auto& row) { return row.of_numbers(words); });
    if (zones >= kLeastZones && numbers <= 1)
      maker.add_one(zone);
    else
      maker.add_each(zone, words);
    from = to;
  }
}

bool filled_enough(const TableGrid& grid) {
  int filled = 0, header = 0;
  for (const CellLines& cell : grid.cells) {
    filled += cell.column_span * cell.row_span;
    header += cell.row == 0;
  }
  // Two columns of many may share a head, as a rate and an amount do.
  const bool named =
      (header == grid.columns && header > 2) || (header + 1 == grid.columns && header > 4);
  return filled >= (named ? kLeastUnderHeader : kLeastOccupancy) * grid.rows * grid.columns;
}

}  // namespace

std::optional<TableGrid> table_grid(const std::vector<TextLine>& lines, std::span<const Word> words,
                                    std::span<const Box> rules) {
  if (lines.empty()) return std::nullopt;
  const double em = typical_size(lines);
  const TableColumns found = find_columns(lines, words, em);
  if (found.columns.size() < 2) return std::nullopt;
  const std::vector<TextRow> rows = text_rows(found, words, em, rules);
  if (int(rows.size()) < kLeastRows) return std::nullopt;
  GridMaker maker(int(found.columns.size()), em);
  const std::span<const TextRow> all(rows);
  const bool read =
      std::none_of(lines.begin(), lines.end(), [](auto& l) { return l.words.empty(); });
  const size_t head = read ? head_rows(rows, words, em) : 0;
  if (head > 0) maker.add_head(all.first(head));
  if (read)
    add_body(maker, all.subspan(head), words);
  else
    for (size_t r = 0; r < rows.size(); ++r) maker.add_one(all.subspan(r, 1));
  TableGrid grid = maker.take();
  if (grid.rows + int(head > 0) < kLeastRows || !filled_enough(grid)) return std::nullopt;
  return grid;
}

}  // namespace docspec
