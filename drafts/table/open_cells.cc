#include "drafts/table/open_cells.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"
#include "drafts/grid/tall_cells.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/rows/open_rows.h"
#include "drafts/table/table_heads.h"

namespace docspec {
namespace {

bool crosses(const PhraseRow& row, int x) {
  return std::any_of(row.begin(), row.end(), [&](const Box& p) { return p.x0 < x && p.x1 > x; });
}
bool on_both_sides(const PhraseRow& row, int x) {
  return row.front().x1 <= x && row.back().x0 >= x;
}

/// Whether words stand at both sides of x in a cell, and none on it.
bool parts_words(const GridCell& cell, std::span<const Word> words, int x, double em) {
  bool left = false, right = false;
  for (const Word& word : words) {
    if (!holds_middle(cell.box, word.box)) continue;
    if (word.box.x0 < x - em / 4 && word.box.x1 > x + em / 4) return false;
    (word.box.x0 + word.box.x1 < 2 * x ? left : right) = true;
  }
  return left && right;
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
      const bool close = cell.row_span > 1 && size_t(crossing) * 2 < rows.size();  // a blank apart
      if ((crossing == 0 && both > 0) || (close && parts_words(cell, words, x, em)))
        free.push_back(i);
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

/// The column whose numbers end where those of a cell of several columns do, which many rows have:
/// their lines are not seen in that row, as in one with a shade. -1 where there is none.
int column_of_numbers(const RuledTable& table, const GridCell& cell, std::span<const Word> words,
                      double em) {
  constexpr int kLeast = 3;
  Box box;
  for (const Word& word : words) {
    if (!holds_middle(cell.box, word.box)) continue;
    if (!is_numeric(word.text)) return -1;
    box = unite(box, word.box);
  }
  int own = -1;
  for (int c = cell.column; !box.empty() && c < cell.column + cell.column_span; ++c) {
    int level = 0, cells = 0;
    for (const GridCell& other : table.cells) {
      if (other.column != c || other.column_span > 1) continue;
      ++cells;
      level += std::any_of(words.begin(), words.end(), [&](const Word& word) {
        return std::abs(word.box.x1 - box.x1) < em / 2 && holds_middle(other.box, word.box) &&
               other.box.x0 <= box.x0 && is_numeric(word.text);
      });
    }
    if (cells * 5 < table.rows * 2) return -1;
    if (level >= kLeast && level * 4 > cells) own = c;
  }
  return own;
}

/// Parts cells of several columns that hold numbers of one.
void part_numbers(RuledTable& table, std::span<const Word> words, double em) {
  std::vector<GridCell> cells;
  for (const GridCell& cell : table.cells) {
    const int own = cell.column_span > 1 ? column_of_numbers(table, cell, words, em) : -1;
    cells.push_back(cell);
    for (int c = cell.column + 1; own >= 0 && c < cell.column + cell.column_span; ++c) {
      const GridCell rest = cells.back();
      cells.pop_back();
      cut_cell(cells, rest, c, column_start(table, c));
    }
  }
  table.cells = std::move(cells);
}

/// Whether a cell has text above y, and below it a number in each of its words, level with one of
/// the `row` that begins there: a number below its label in a form is not.
bool number_below(const GridCell& cell, int y, std::span<const Word> words,
                  std::span<const Word> row) {
  bool above = false, below = false;
  for (const Word& word : words) {
    if (!holds_middle(cell.box, word.box)) continue;
    const bool lower = word.box.y0 + word.box.y1 > 2 * y;
    const auto level = [&](const Word& other) { return row_overlap(other.box, word.box) > 0.5; };
    if (lower && (!is_numeric(word.text) || std::none_of(row.begin(), row.end(), level)))
      return false;
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
    std::vector<Word> level;  // of the cells that begin there
    for (const Word& word : words)
      if (std::any_of(table.cells.begin(), table.cells.end(), [&](const GridCell& cell) {
            return cell.row == row && holds_middle(cell.box, word.box);
          }))
        level.push_back(word);
    std::vector<size_t> open;  // cells
    for (size_t i = 0; i < table.cells.size(); ++i) {
      const GridCell& cell = table.cells[i];
      if (cell.row < row && cell.row + cell.row_span > row && number_below(cell, y, words, level))
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

/// Whether the first line of a cell is a head over those in its last line, centred.
bool has_group_head(const std::vector<PhraseRow>& rows) {
  if (rows.size() < 2 || rows.front().size() != 1 || rows.back().size() < 2) return false;
  const Box &head = rows.front().front(), &first = rows.back().front(), &last = rows.back().back();
  const int apart = std::abs(head.x0 + head.x1 - first.x0 - last.x1) / 2;
  return apart * 10 < last.x1 - first.x0 && head.x0 > first.x0 && head.x1 < last.x1;
}

/// Where the text of column `c` parts into columns of its own: where most of its rows part, or
/// where its head parts and hardly any row runs across, as in a table with many empty cells.
std::vector<int> column_cuts(const RuledTable& table, int c, std::span<const Word> words,
                             double em) {
  constexpr size_t kLeastRows = 3, kLeastSparse = 8;
  size_t head_lines = 3;
  std::vector<PhraseRow> rows;
  Box box;
  for (const GridCell& cell : table.cells) {
    if (cell.column != c || cell.column_span > 1) continue;
    box = unite(box, cell.box);
    std::vector<PhraseRow> own = phrase_rows(cell.box, words, em);
    if (cell.row == 0 && has_group_head(own)) {
      own.erase(own.begin());
      head_lines = own.size();
    }
    for (PhraseRow& row : own) rows.push_back(std::move(row));
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
      if (r < head_lines)
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
      const bool own =
          cell.column == c && cell.column_span == 2 && !(cell.row == 0 && has_group_head(rows));
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

/// Where a column begins whose head, one word, stands far right of all labels in the first column
/// and not in their middle, as "Note" does: at most numbers stand below it. -1 where there is none.
int open_head_start(const RuledTable& table, std::span<const Word> words, double em) {
  constexpr size_t kLeastLabels = 3;
  const GridCell& corner = table.cells.front();
  const std::vector<Box> heads = words_in(corner.box, words);
  if (corner.column_span > 1 || heads.size() != 1) return -1;
  const Box& head = heads.front();
  if (2 * (head.x0 + head.x1) < corner.box.x0 + 3 * corner.box.x1) return -1;
  int end = corner.box.x0;
  size_t labels = 0;
  for (const GridCell& cell : table.cells) {
    if (cell.column > 0 || cell.row == 0 || cell.column_span > 1) continue;
    for (const Word& word : words) {
      if (!holds_middle(cell.box, word.box)) continue;
      const bool below = word.box.x1 > head.x0 && word.box.x0 < head.x1;
      if (!below || count_digits(word.text) == 0) end = std::max(end, word.box.x1), ++labels;
    }
  }
  return labels >= kLeastLabels && head.x0 - end > em ? (end + head.x0) / 2 : -1;
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

}  // namespace

void part_open_head(RuledTable& table, std::span<const Word> words, double em_px) {
  if (const int x = open_head_start(table, words, em_px); x >= 0)
    insert_column(table, 0, x, words, em_px);
}

void cut_open_cells(RuledTable& table, std::span<const Word> words, double em_px) {
  drop_thin(table, words, em_px);
  extend_rows(table, words);
  split_tall_cells(table, words);
  extend_columns(table, words, em_px);
  part_numbers(table, words, em_px);
  split_open_columns(table, words, em_px);
  part_heads(table, words, em_px);
  split_open_rows(table, words);
  split_tall_cells(table, words);
}

}  // namespace docspec
