#include "drafts/table/table_heads.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"
#include "drafts/lines/line_text.h"
#include "drafts/table/grow_table.h"
#include "drafts/table/prose_columns.h"

namespace docspec {
namespace {

int count_words(const Box& box, std::span<const Word> words) {
  return int(std::count_if(words.begin(), words.end(),
                           [&](const Word& word) { return holds_middle(box, word.box); }));
}

/// Whether a head begins where two cells and more of its column, below it, do.
bool begins_as_column(const RuledTable& table, int c, const Box& head, const Box& row,
                      std::span<const Word> words, double em) {
  constexpr double kLevel = 0.2;  // em
  constexpr int kLeast = 2;
  int level = 0;
  for (const GridCell& cell : table.cells) {
    if (cell.column != c || cell.column_span > 1 || cell.box.y0 < row.y1 - em / 2) continue;
    int left = cell.box.x1;
    for (const Word& word : words)
      if (holds_middle(cell.box, word.box)) left = std::min(left, word.box.x0);
    level += std::abs(left - head.x0) < kLevel * em;
  }
  return level >= kLeast;
}

/// A row of heads that the body's columns were not cut through, because a head is wider than the
/// numbers below it, or its fill hides the lines: as many heads as columns are one each; fewer, far
/// apart, go to the nearest line of a column. A title over the whole table stays.
void cut_heads(RuledTable& table, std::span<const Word> words, double em) {
  constexpr double kFarEm = 1.5, kApartEm = 1;  // justified text has wide blanks
  constexpr int kMostWords = 5;                 // of a head
  constexpr int kLeastOfAll = 3;  // heads of a cell over the whole table: two may be a title
  const auto fit_columns = [&](const PhraseRow& heads, const GridCell& cell) {
    for (size_t k = 0; k < heads.size(); ++k)
      if (!begins_as_column(table, cell.column + int(k), heads[k], cell.box, words, em))
        return false;
    return true;
  };
  std::vector<int> starts;
  for (int c = 0; c < table.columns; ++c) starts.push_back(column_start(table, c));
  std::vector<GridCell> cells;
  for (const GridCell& cell : table.cells) {
    PhraseRow heads;
    if (cell.column_span > 1) heads = phrase_columns(cell.box, words, em);
    const bool is_text = count_words(cell.box, words) > kMostWords * cell.column_span;
    const bool one_each = int(heads.size()) == cell.column_span;
    if (cell.column_span == table.columns &&
        !(one_each && (cell.column_span >= kLeastOfAll || fit_columns(heads, cell))))
      heads.clear();
    const int count = int(heads.size());
    GridCell rest = cell;
    for (int k = 1; k < count; ++k) {
      const Box &left = heads[size_t(k) - 1], &right = heads[size_t(k)];
      const int x = (left.x1 + right.x0) / 2, end = rest.column + rest.column_span;
      const double least = !one_each ? kFarEm : is_text ? kApartEm : 0;
      if (right.x0 - left.x1 < least * em) continue;
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

/// Whether the row below a cell has cells for its columns.
bool stands_over_columns(const RuledTable& table, const GridCell& cell) {
  return std::any_of(table.cells.begin(), table.cells.end(), [&](const GridCell& other) {
    return other.row == cell.row + cell.row_span && other.column > cell.column &&
           other.column < cell.column + cell.column_span;
  });
}

/// Where the lowest line of a cell's text begins, if it has a head for each of the cell's columns
/// and stands below one head for all; else 0. Numbers are heads only over columns.
int group_cut(const RuledTable& table, const GridCell& cell, std::span<const Word> words,
              double em) {
  if (cell.column_span < 2) return 0;
  const auto rows = phrase_rows(cell.box, words, em);
  if (rows.size() < 2 || int(rows.back().size()) != cell.column_span) return 0;
  int above = 0, below = INT32_MAX;
  for (const Box& phrase : rows[rows.size() - 2]) above = std::max(above, phrase.y1);
  for (const Box& phrase : rows.back()) below = std::min(below, phrase.y0);
  if (!stands_over_columns(table, cell) && std::any_of(words.begin(), words.end(), [&](auto& word) {
        return holds_middle(cell.box, word.box) && word.box.y0 >= below && is_numeric(word.text);
      }))
    return 0;
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
                         ? group_cut(table, cell, words, em)
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

/// The cells right below a cell that stand under it alone, from left to right.
std::vector<GridCell> cells_below(const RuledTable& table, const GridCell& cell) {
  std::vector<GridCell> below;
  for (const GridCell& other : table.cells)
    if (other.row == cell.row + cell.row_span && other.column >= cell.column &&
        other.column + other.column_span <= cell.column + cell.column_span)
      below.push_back(other);
  return below;
}

/// Whether nearly all of these cells have a head of their own in the cell over them.
bool has_heads_of(const GridCell& cell, const std::vector<GridCell>& below,
                  std::span<const Word> words, double em) {
  constexpr size_t kLeastHeads = 3, kMostLines = 3;
  const auto rows = phrase_rows(cell.box, words, em);
  std::vector<bool> headed(below.size(), false);
  for (const PhraseRow& row : rows)
    for (const Box& phrase : row) {
      const auto own = std::find_if(below.begin(), below.end(), [&](const GridCell& other) {
        return phrase.x0 >= other.box.x0 - em / 4 && phrase.x1 <= other.box.x1 + em / 4;
      });
      if (own == below.end()) return false;
      headed[size_t(own - below.begin())] = true;
    }
  const size_t heads = size_t(std::count(headed.begin(), headed.end(), true));
  const auto has_words = [&](const GridCell& other) { return count_words(other.box, words) > 0; };
  return rows.size() <= kMostLines && heads >= kLeastHeads && heads * 10 >= below.size() * 7 &&
         std::count_if(below.begin(), below.end(), has_words) > 1;
}

/// Heads that a shade joins go into the columns of the row below, if they stand over its cells.
void cut_over_cells(RuledTable& table, std::span<const Word> words, double em) {
  std::vector<GridCell> cells;
  for (const GridCell& cell : table.cells) {
    const std::vector<GridCell> below = cells_below(table, cell);
    const bool cut = cell.column_span > 2 && has_heads_of(cell, below, words, em);
    for (size_t k = 0; cut && k < below.size(); ++k) {
      GridCell head = cell;
      head.column = k == 0 ? cell.column : below[k].column;
      head.box.x0 = k == 0 ? cell.box.x0 : below[k].box.x0;
      const bool last = k + 1 == below.size();
      head.box.x1 = last ? cell.box.x1 : below[k + 1].box.x0;
      const int end = last ? cell.column + cell.column_span : below[k + 1].column;
      head.column_span = end - head.column;
      cells.push_back(head);
    }
    if (!cut) cells.push_back(cell);
  }
  table.cells = std::move(cells);
  sort_cells(table.cells);
}

class HeadReader {
 public:
  HeadReader(const std::vector<TextLine>& lines, std::span<const Word> words,
             std::span<const Box> rules)
      : lines_(lines), words_(words), rules_(rules), rows_(group_rows(lines)) {}

  std::vector<HeadedTable> find() {
    std::vector<HeadedTable> found;
    for (size_t r = 0; r + 1 < rows_.size(); ++r) {
      if (!opens(r)) continue;
      size_t end = r;
      HeadedTable table = read(r, end);
      if (end == r || is_prose(table.grid, words_)) continue;
      found.push_back(std::move(table));
      r = end - 1;
    }
    return found;
  }

 private:
  const TextLine& line(size_t row, size_t k) const { return lines_[size_t(rows_[row][k])]; }
  double em(size_t row) const { return line(row, 0).size_px; }
  Box box(size_t row) const {
    Box all;
    for (int i : rows_[row]) all = unite(all, lines_[size_t(i)].box);
    return all;
  }
  const std::string& first_word(const TextLine& line) const {
    return words_[size_t(line.words.front())].text;
  }

  bool is_cell(const TextLine& line, bool first) const {
    constexpr size_t kLongest = 42, kLongestLabel = 60;  // characters
    return line.quarter_turns == 0 && !line.mono && !line.words.empty() &&
           line.chars <= (first ? kLongestLabel : kLongest);
  }

  bool opens(size_t r) const {
    constexpr size_t kLeastColumns = 3, kMostWords = 8, kBrief = 5;   // characters
    constexpr double kFar = 1.5, kFarRuled = 2.5, kFarAmounts = 4.5;  // em
    constexpr size_t kLeastAmounts = 3;
    const size_t columns = rows_[r].size();
    const double gap = (box(r + 1).y0 - box(r).y1) / em(r);
    if (columns < kLeastColumns || rows_[r + 1].size() != columns || gap > kFarAmounts)
      return false;
    size_t amounts = 0;
    bool named = true, ruled = true, bold = true, notes = true, brief = false, flush = true;
    bool labels = true, items = true, straight = true;
    for (size_t c = 0; c < columns; ++c) {
      const TextLine &head = line(r, c), &value = line(r + 1, c);
      const bool is_at_edge = is_straight(head.box, value.box, em(r));
      if (!is_cell(head, c == 0) || !is_cell(value, c == 0) || head.words.size() > kMostWords ||
          !(is_at_edge || is_below(value.box, head.box)))
        return false;
      straight &= is_at_edge;
      named &= !is_numeric(line_text(words_, head.words)) || c == 0;
      const bool centred = is_centred(head.box, value.box, em(r));
      ruled &= std::any_of(rules_.begin(), rules_.end(), [&](const Box& rule) {
        const double over = em(r) / 2;  // that the last head may reach over the rule
        return rule.y0 > head.middle() && rule.y1 < value.middle() &&
               rule.x0 <= head.box.x0 + over && rule.x1 >= head.box.x1 - over;
      });
      bold &= head.bold && !value.bold && centred;
      notes &= first_word(value).starts_with('(') && centred;
      const bool amount = std::all_of(value.words.begin(), value.words.end(),
                                      [&](int w) { return is_numeric(words_[size_t(w)].text); });
      amounts += amount;
      items &= amount || c == 0 || value.chars <= kBrief;
      brief |= value.chars <= kBrief || is_numeric(line_text(words_, value.words));
      labels &= words_[size_t(head.words.back())].text.ends_with(':');
      flush &= std::abs(head.box.x0 - value.box.x0) < em(r) / 2;
    }
    if (named && items && amounts >= kLeastAmounts) return true;
    if (!straight) return false;
    return (ruled && named && gap < kFarRuled) ||
           (gap < kFar && (notes || labels || (bold && named && brief && !flush)));
  }

  /// Whether most of a value stands below a head, though not at its edge.
  static bool is_below(const Box& value, const Box& head) {
    return (std::min(value.x1, head.x1) - std::max(value.x0, head.x0)) * 2 > value.width();
  }

  /// The column of a line; -1 where it is in none. `columns`: what each covers up to now.
  static int column_at(const Box& line, const std::vector<Box>& columns, double em) {
    const int middle = (line.x0 + line.x1) / 2;
    size_t c = columns.size();
    while (c > 0 && columns[c - 1].x0 > middle) --c;
    if (c == 0 || (c < columns.size() && line.x1 > columns[c].x0)) return -1;
    const Box& own = columns[c - 1];
    const bool beside = c == 1 ? line.x0 < own.x0 - em : line.x0 > own.x1 || line.x1 < own.x0;
    return beside ? -1 : int(c) - 1;
  }

  /// The columns of the lines of a row, from left to right; nothing where it is no row of them.
  std::vector<int> columns_of(size_t r, const std::vector<Box>& columns) const {
    std::vector<int> at;
    for (size_t k = 0; k < rows_[r].size(); ++k) {
      const int c = is_cell(line(r, k), k == 0) ? column_at(line(r, k).box, columns, em(r)) : -1;
      if (c < 0 || (!at.empty() && c <= at.back())) return {};
      at.push_back(c);
    }
    return at;
  }

  /// Whether the row above is one more line of the heads.
  bool is_head_line(size_t r, const std::vector<Box>& heads) const {
    const TextLine& below = line(r + 1, 0);
    const auto over_one = [&](int i) {
      const TextLine& own = lines_[size_t(i)];
      return own.bold == below.bold && std::abs(own.size_px - below.size_px) < 0.1 * em(r) &&
             std::any_of(heads.begin(), heads.end(), [&](const Box& head) {
               return is_straight(own.box, head, em(r)) && own.box.width() < 2 * head.width();
             });
    };
    return box(r + 1).y0 - box(r).y1 < 0.5 * em(r) && rows_[r].size() <= heads.size() &&
           std::all_of(rows_[r].begin(), rows_[r].end(), over_one);
  }

  /// Whether a row goes on with the cells above it.
  bool goes_on(size_t r, const std::vector<int>& at, size_t columns) const {
    const bool label = at.front() == 0;
    const double gap = box(r).y0 - box(r - 1).y1;
    if (at.size() == 1 && label) return gap < 0.6 * em(r);
    if (label)
      return at.size() < columns && std::islower(uint8_t(first_word(line(r, 0))[0])) != 0 &&
             gap < 0.6 * em(r);
    return at.size() * 2 <= columns && gap < 0.35 * em(r);
  }

  /// The table whose heads are row `head`; `end`: the row after its last one.
  HeadedTable read(size_t head, size_t& end) const {
    constexpr double kFar = 1.5, kFarTotal = 3, kNear = 0.8;  // em
    HeadedTable table;
    const size_t count = rows_[head].size();
    std::vector<Box> columns;
    for (size_t c = 0; c < count; ++c)
      columns.push_back(unite(line(head, c).box, line(head + 1, c).box));
    const auto add = [&](size_t r, const std::vector<int>& at, int row) {
      for (size_t k = 0; k < at.size(); ++k) {
        columns[size_t(at[k])] = unite(columns[size_t(at[k])], line(r, k).box);
        auto& cells = table.grid.cells;
        const auto home = std::find_if(cells.begin(), cells.end(), [&](const CellLines& cell) {
          return cell.row == row && cell.column == at[k];
        });
        if (home == cells.end())
          cells.push_back({row, at[k], 1, 1, {line(r, k).words}});
        else
          home->lines.push_back(line(r, k).words);
      }
      table.lines.insert(table.lines.end(), rows_[r].begin(), rows_[r].end());
    };
    size_t r = head;
    while (r > 0 && is_head_line(r - 1, columns)) --r;
    for (; r <= head; ++r) add(r, columns_of(r, columns), 0);
    int rows = 1;
    for (; r < rows_.size(); ++r) {
      const std::vector<int> at = columns_of(r, columns);
      const double gap = (box(r).y0 - box(r - 1).y1) / em(r);
      if (at.empty() && rows_[r].size() > 1 && gap < kNear) return {};  // columns of something else
      const bool more = !at.empty() && r > head + 1 && goes_on(r, at, count);
      const bool total = at.size() > 1 && size_t(at.back()) + 1 == count &&
                         std::abs(line(r, at.size() - 1).box.x1 - columns.back().x1) < em(r) / 2 &&
                         count_digits(line_text(words_, line(r, at.size() - 1).words)) > 0;
      const bool far = gap > (total ? kFarTotal : kFar) && r != head + 1;
      if (!more && (at.size() < 2 || far)) break;
      rows += !more;
      add(r, at, rows - 1);
    }
    end = r;
    table.grid.rows = rows;
    table.grid.columns = int(count);
    std::sort(table.grid.cells.begin(), table.grid.cells.end(),
              [](const CellLines& a, const CellLines& b) {
                return std::pair(a.row, a.column) < std::pair(b.row, b.column);
              });
    return table;
  }

  const std::vector<TextLine>& lines_;
  const std::span<const Word> words_;
  const std::span<const Box> rules_;
  const std::vector<std::vector<int>> rows_;
};

}  // namespace

std::vector<HeadedTable> find_headed_tables(const std::vector<TextLine>& lines,
                                            std::span<const Word> words,
                                            std::span<const Box> rules) {
  return HeadReader(lines, words, rules).find();
}

void part_heads(RuledTable& table, std::span<const Word> words, double em_px) {
  part_groups(table, words, em_px);
  cut_over_cells(table, words, em_px);
  cut_heads(table, words, em_px);
}

}  // namespace docspec
