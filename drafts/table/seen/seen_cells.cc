#include "drafts/table/seen/seen_cells.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <map>
#include <set>

#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"

namespace docspec {
namespace {

/// A phrase of the table and the cell (index) that it was given to.
struct PlacedPhrase {
  Box box;
  size_t row = 0;  ///< of text
  size_t cell = 0;
  bool numeric = false, fits = false;
};

/// How far two boxes are apart; rows count twice, since the net knows them better.
int64_t distance(const Box& a, const Box& b) {
  const auto gap = [](int a0, int a1, int b0, int b1) { return std::max({0, b0 - a1, a0 - b1}); };
  return 2 * int64_t(gap(a.y0, a.y1, b.y0, b.y1)) + gap(a.x0, a.x1, b.x0, b.x1);
}

/// Whether words of a phrase lie on two cells of one row: OCR runs on where cells stand close.
bool lies_on_two(std::span<const Box> words, std::span<const GridCell> cells) {
  const GridCell* first = nullptr;
  for (const Box& word : words)
    for (const GridCell& cell : cells) {
      if (!holds_middle(cell.box, word)) continue;
      if (first && first->row == cell.row && first->column != cell.column) return true;
      first = &cell;
    }
  return false;
}

/// Gives a phrase its cell.
void place(PlacedPhrase& phrase, std::span<const GridCell> cells) {
  constexpr int64_t kPart = 4;  // of a phrase: one of so many parts
  int64_t most = 0, nearest = INT64_MAX;
  for (size_t i = 0; i < cells.size(); ++i) {
    const int64_t shared = intersect(cells[i].box, phrase.box).area();
    const int64_t apart = distance(cells[i].box, phrase.box);
    if (shared < most || (shared == most && apart >= nearest)) continue;
    most = shared, nearest = apart, phrase.cell = i;
  }
  phrase.fits = most * kPart >= phrase.box.area();
}

/// Phrases of one line of text stand in cells of rising columns.
void check_order(std::vector<PlacedPhrase>& phrases, std::span<const GridCell> cells, double em) {
  constexpr double kSpread = 1.2;  // em, to the next phrase of the same cell
  for (size_t i = 0; i + 1 < phrases.size(); ++i) {
    PlacedPhrase &left = phrases[i], &right = phrases[i + 1];
    if (left.row != right.row) continue;
    const bool same = left.cell == right.cell;
    if (same ? right.box.x0 - left.box.x1 > kSpread * em
             : cells[left.cell].column >= cells[right.cell].column)
      left.fits = right.fits = false;
  }
}

/// Numbers below each other in a cell are two rows that the net took for one.
void check_numbers(std::vector<PlacedPhrase>& phrases, size_t cells) {
  std::vector<std::set<size_t>> rows(cells);
  for (const PlacedPhrase& phrase : phrases)
    if (phrase.numeric) rows[phrase.cell].insert(phrase.row);
  for (PlacedPhrase& phrase : phrases)
    if (phrase.numeric && rows[phrase.cell].size() > 1) phrase.fits = false;
}

/// Rows of the net whose cells hold the same two lines or more, which stand no nearer to each other
/// than to the lines of other rows, are as many rows, but for the head. `rows`: the boxes of the
/// lines of text.
void check_lines(std::vector<PlacedPhrase>& phrases, std::span<const GridCell> cells,
                 std::span<const Box> rows) {
  constexpr double kAsFar = 0.85;
  std::vector<std::set<size_t>> lines(cells.size());
  for (const PlacedPhrase& phrase : phrases) lines[phrase.cell].insert(phrase.row);
  std::map<int, std::set<std::set<size_t>>> of_row;
  std::map<int, int> filled;
  for (size_t i = 0; i < cells.size(); ++i)
    if (!lines[i].empty()) of_row[cells[i].row].insert(lines[i]), ++filled[cells[i].row];
  const auto pitch = [&](size_t above) {
    return above + 1 < rows.size() ? rows[above + 1].y1 - rows[above].y1 : INT_MAX;
  };
  const auto stand_apart = [&](const std::set<size_t>& own) {
    const size_t first = *own.begin(), last = *own.rbegin();
    const int around = std::min(first > 0 ? pitch(first - 1) : INT_MAX, pitch(last));
    return pitch(first) >= kAsFar * around;
  };
  for (PlacedPhrase& phrase : phrases) {
    const GridCell& cell = cells[phrase.cell];
    const std::set<size_t>& own = lines[phrase.cell];
    if (own.size() < 2) continue;
    const bool alike = cell.row > 0 && of_row[cell.row].size() == 1 && filled[cell.row] > 1;
    if (alike && stand_apart(own)) phrase.fits = false;
  }
}

bool is_number(const Box& phrase, std::span<const Word> words) {
  bool any = false;
  for (const Word& word : words)
    if (holds_middle(phrase, word.box)) {
      if (!is_numeric(word.text)) return false;
      any = true;
    }
  return any;
}

}  // namespace

FilledTable fill_cells(const SeenTable& table, const Box& area, std::span<const Word> words,
                       double em_px) {
  FilledTable filled{table.rows, table.columns, table.cells};
  if (table.cells.empty()) return filled;
  std::vector<PlacedPhrase> phrases;
  std::vector<Box> rows;
  for (const PhraseRow& of_row : phrase_rows(area, words, em_px)) {
    const size_t row = rows.size();
    rows.emplace_back();
    for (const Box& box : of_row) {
      rows.back() = unite(rows.back(), box);
      std::vector<Box> parts = words_in(box, words);
      std::sort(parts.begin(), parts.end(), [](auto& a, auto& b) { return a.x0 < b.x0; });
      if (!lies_on_two(parts, table.cells)) parts = {box};
      for (const Box& part : parts) {
        PlacedPhrase phrase{part, row};
        phrase.numeric = is_number(part, words);
        place(phrase, table.cells);
        phrases.push_back(phrase);
      }
    }
  }
  check_order(phrases, table.cells, em_px);
  check_numbers(phrases, table.cells.size());
  check_lines(phrases, table.cells, rows);
  std::vector<Box> boxes(table.cells.size());
  size_t fitting = 0;
  for (const PlacedPhrase& phrase : phrases) {
    boxes[phrase.cell] = unite(boxes[phrase.cell], phrase.box);
    fitting += phrase.fits;
  }
  std::vector<bool> in_row(size_t(table.rows), false);
  for (size_t i = 0; i < boxes.size(); ++i) {
    GridCell& cell = filled.cells[i];
    cell.box = boxes[i].empty() ? Box{area.x0, area.y0, area.x0, area.y0} : boxes[i];
    for (int r = cell.row; r < cell.row + cell.row_span && !boxes[i].empty(); ++r)
      in_row[size_t(r)] = true;
  }
  // A row without words is one that the net saw twice.
  const auto empty = size_t(std::count(in_row.begin(), in_row.end(), false));
  const size_t all = phrases.size() + empty * size_t(table.columns);
  filled.fit = all > 0 ? double(fitting) / double(all) : 0;
  return filled;
}

}  // namespace docspec
