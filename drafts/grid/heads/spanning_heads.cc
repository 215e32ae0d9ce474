#include "drafts/grid/heads/spanning_heads.h"

#include <algorithm>
#include <cstdlib>

#include "core/page/page_image.h"
#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"

namespace docspec {
namespace {

/// One column of a table as its words show it.
struct HeadedColumn {
  Box all, top;                ///< around its words; around those of its highest cell
  int cells = 0, numbers = 0;  ///< with words; whose words are numbers, at least half of them

  bool counts() const { return cells > 1 && numbers * 2 > cells; }
};

std::vector<HeadedColumn> headed_columns(const std::vector<GridCell>& cells,
                                         std::span<const Word> words) {
  std::vector<HeadedColumn> columns;
  for (const GridCell& cell : cells) {
    columns.resize(std::max(columns.size(), size_t(cell.column + cell.column_span)));
    if (cell.column_span > 1) continue;
    Box box;
    int words_in_cell = 0, numbers = 0;
    for (const Word& word : words)
      if (holds_middle(cell.box, word.box)) {
        box = unite(box, word.box);
        ++words_in_cell;
        numbers += is_numeric(word.text);
      }
    if (box.empty()) continue;
    HeadedColumn& column = columns[size_t(cell.column)];
    if (column.top.empty() || box.y0 < column.top.y0) column.top = box;
    column.all = unite(column.all, box);
    ++column.cells;
    column.numbers += numbers * 2 >= words_in_cell;
  }
  return columns;
}

/// Columns `first` to `last` below a head.
struct HeadSpan {
  int first = -1, last = -1;
  bool operator==(const HeadSpan&) const = default;
};

/// The columns of numbers, from `from` on, that a head stands over: the one at whose edge or middle
/// it stands, or those around whose middle it does. No span where there are none.
HeadSpan span_of(const Box& head, const std::vector<HeadedColumn>& columns, int from, double em) {
  constexpr double kOver = 2;  // em: how far a head may reach out of its columns
  HeadSpan best;
  double nearest = em;
  for (int first = from; first < int(columns.size()); ++first) {
    Box all, top;
    for (int last = first; last < int(columns.size()); ++last) {
      const HeadedColumn& column = columns[size_t(last)];
      if (!column.counts()) break;
      all = unite(all, column.all), top = unite(top, column.top);
      if (head.x0 < all.x0 - kOver * em || head.x1 > all.x1 + kOver * em) continue;
      const auto askew = [&](const Box& box) {
        return std::abs(head.x0 + head.x1 - box.x0 - box.x1) / 2.0;
      };
      double off = std::min(askew(all), askew(top));
      if (first == last) off = std::min(off, double(std::abs(head.x1 - column.top.x1)));
      if (off < nearest) nearest = off, best = {first, last};
    }
  }
  return best;
}

/// Whether heads stand side by side, each over several columns, and leave out none of the columns
/// of numbers right of the first: no title or unit of the whole table does.
bool share_columns(const std::vector<HeadSpan>& heads, const std::vector<HeadedColumn>& columns) {
  const auto counting = std::count_if(columns.begin() + 1, columns.end(),
                                      [](const HeadedColumn& column) { return column.counts(); });
  std::ptrdiff_t below = 0;
  for (const HeadSpan& head : heads) {
    if (head.last == head.first) return false;
    below += head.last - head.first + 1;
  }
  return heads.size() > 1 && below == counting;
}

/// A row of heads: its lines and what each stands over, from left to right.
struct HeadRow {
  std::vector<int> lines;
  std::vector<HeadSpan> spans;
  Box box;
};

/// Adds rows of heads, the highest last, over the cells of a table of `columns`; rows over the same
/// columns are one.
void add_head_rows(std::vector<GridCell>& cells, const std::vector<HeadRow>& rows, int columns,
                   std::span<const TextLine> near) {
  const std::vector<HeadSpan>* below = nullptr;
  for (const HeadRow& row : rows) {
    if (!below || *below != row.spans) {
      for (GridCell& cell : cells) ++cell.row;
      std::vector<bool> filled(size_t(columns), false);
      for (const HeadSpan& span : row.spans) {
        cells.push_back({0, span.first, 1, span.last - span.first + 1, {}});
        std::fill(filled.begin() + span.first, filled.begin() + span.last + 1, true);
      }
      const Box blank{row.box.x0, row.box.y0, row.box.x0, row.box.y0};
      for (int c = 0; c < columns; ++c)
        if (!filled[size_t(c)]) cells.push_back({0, c, 1, 1, blank});
    }
    for (size_t k = 0; k < row.lines.size(); ++k)
      for (GridCell& cell : cells)
        if (cell.row == 0 && cell.column == row.spans[k].first)
          cell.box = unite(cell.box, near[size_t(row.lines[k])].box);
    below = &row.spans;
  }
  sort_cells(cells);
}

}  // namespace

std::vector<int> add_spanning_heads(std::vector<GridCell>& cells, Box& table,
                                    std::span<const TextLine> near, std::span<const Word> words,
                                    double em_px) {
  constexpr double kNear = 1.3, kPitch = 0.8, kLarge = 1.15;  // em
  constexpr size_t kMostWords = 6, kMostRows = 3;
  const std::vector<HeadedColumn> columns = headed_columns(cells, words);
  Box text;
  for (const HeadedColumn& column : columns) text = unite(text, column.all);
  if (columns.size() < 2 || columns.front().all.empty()) return {};
  // Over a table whose first row begins with a label, or that has no labels, its title and its unit
  // stand, too.
  const bool titled = columns.front().counts() || columns.front().all.y0 < text.y0 + em_px;
  std::vector<HeadRow> found;
  int top = text.y0;
  const auto rows = group_rows(near);
  for (auto row = rows.rbegin(); row != rows.rend() && found.size() < kMostRows; ++row) {
    HeadRow heads;
    int from = 1;
    bool fits = true;
    for (const int k : *row) {
      const TextLine& line = near[size_t(k)];
      if (line.box.x1 <= table.x0 || line.box.x0 >= table.x1) continue;
      const HeadSpan span = span_of(line.box, columns, from, em_px);
      fits &= span.first > 0 && line.words.size() <= kMostWords && line.quarter_turns == 0 &&
              line.size_px < kLarge * em_px;
      heads.lines.push_back(k);
      heads.spans.push_back(span);
      heads.box = unite(heads.box, line.box);
      from = span.last + 1;
    }
    if (heads.lines.empty() || (heads.box.y0 + heads.box.y1) / 2 >= top) continue;
    if (titled && !share_columns(heads.spans, columns)) break;
    if (!fits || top - heads.box.y1 > (found.empty() ? kNear : kPitch) * em_px) break;
    top = heads.box.y0;
    found.push_back(std::move(heads));
  }
  add_head_rows(cells, found, int(columns.size()), near);
  std::vector<int> added;
  for (const HeadRow& row : found) {
    added.insert(added.end(), row.lines.begin(), row.lines.end());
    table = unite(table, row.box);
  }
  return added;
}

}  // namespace docspec
