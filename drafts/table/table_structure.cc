#include "drafts/table/table_structure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/median.h"
#include "core/markup/base/html_tree.h"
#include "drafts/lines/line_text.h"

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

struct Span {
  int from = 0, to = 0;
};

/// x-ranges of the columns: where more than an eighth of the rows have text (a header may span), at
/// least `gap` em apart.
std::vector<Span> column_spans(const std::vector<TextLine>& lines,
                               const std::vector<std::vector<int>>& rows, double em, double gap) {
  Box all;
  for (const TextLine& line : lines) all = unite(all, line.box);
  std::vector<int> cover(size_t(all.width()) + 1, 0);
  for (const auto& row : rows)
    for (int i : row)
      for (int x = lines[i].box.x0; x < lines[i].box.x1; ++x) ++cover[x - all.x0];
  const int tolerated = int(rows.size()) / 8;
  std::vector<Span> spans;
  for (int x = 0; x < all.width(); ++x) {
    if (cover[x] <= tolerated) continue;
    if (spans.empty() || x - spans.back().to > gap * em) spans.push_back({x, x});
    spans.back().to = x + 1;
  }
  for (Span& span : spans) span.from += all.x0, span.to += all.x0;
  return spans;
}

/// Lines cut where all rows leave a gap: close columns of short cells look like words of one line.
std::vector<TextLine> split_at_gaps(const std::vector<TextLine>& lines, std::span<const Word> words,
                                    double em) {
  std::vector<TextLine> pieces;  // one a word
  for (const TextLine& line : lines) {
    if (line.words.empty()) return lines;  // found in a raster, not read yet
    for (int i : line.words) {
      pieces.push_back(line);
      pieces.back().words = {i};
      pieces.back().box = words[i].box;
    }
  }
  const double space = lines.front().mono ? 1.0 : 0.4;  // in em; wider than one between words
  const std::vector<Span> spans = column_spans(pieces, group_rows(pieces), em, space);
  const auto column = [&](int word) {
    const int middle = (words[word].box.x0 + words[word].box.x1) / 2;
    return std::find_if(spans.begin(), spans.end(), [&](const Span& s) { return middle < s.to; });
  };
  std::vector<TextLine> cut;
  for (const TextLine& line : lines)
    for (size_t k = 0; k < line.words.size(); ++k) {
      const Word& word = words[line.words[k]];
      const bool apart = k > 0 && column(line.words[k]) != column(line.words[k - 1]) &&
                         word.box.x0 - words[line.words[k - 1]].box.x1 > space * em;
      if (k == 0 || apart) {
        cut.push_back(line);
        cut.back().words.clear();
        cut.back().box = {};
      }
      cut.back().words.push_back(line.words[k]);
      cut.back().box = unite(cut.back().box, word.box);
    }
  return cut;
}

/// Is this row the rest of the cells above it?
bool continues(const std::vector<TableCell>& row, const Box& box, const Box& above, int columns,
               double em) {
  const bool first_empty = row.empty() || row.front().column > 0;
  return first_empty && int(row.size()) * 2 <= columns && box.y0 - above.y1 < 0.35 * em;
}

/// The cells of one row: each line goes to the columns it lies over.
std::vector<TableCell> row_cells(const std::vector<TextLine>& lines, const std::vector<int>& row,
                                 const std::vector<Span>& spans, int number, double em) {
  std::vector<TableCell> cells;
  for (int i : row) {
    const Box& b = lines[i].box;
    const auto offset = [&](int c) { return std::abs(b.x0 + b.x1 - spans[c].from - spans[c].to); };
    int first = -1, last = -1, nearest = 0;
    for (int c = 0; c < int(spans.size()); ++c) {
      if (offset(c) < offset(nearest)) nearest = c;
      if (std::min(b.x1, spans[c].to) - std::max(b.x0, spans[c].from) < 0.3 * em) continue;
      if (first < 0) first = c;
      last = c;
    }
    if (first < 0) first = last = nearest;
    if (!cells.empty() && first < cells.back().column + cells.back().column_span) {
      TableCell& cell = cells.back();
      cell.lines.back().insert(cell.lines.back().end(), lines[i].words.begin(),
                               lines[i].words.end());
      cell.column_span = std::max(cell.column_span, last - cell.column + 1);
    } else {
      cells.push_back({number, first, last - first + 1, {lines[i].words}});
    }
  }
  return cells;
}

/// Adds the cells of a row that continues the last one.
void append_to_last_row(TableGrid& grid, std::vector<TableCell> cells) {
  for (TableCell& cell : cells) {
    cell.row = grid.rows - 1;
    const auto home = std::find_if(grid.cells.begin(), grid.cells.end(), [&](const TableCell& c) {
      return c.row == cell.row && c.column <= cell.column && cell.column < c.column + c.column_span;
    });
    if (home == grid.cells.end())
      grid.cells.push_back(cell);
    else
      home->lines.insert(home->lines.end(), cell.lines.begin(), cell.lines.end());
  }
}

bool filled_enough(const TableGrid& grid) {
  int filled = 0, header = 0;
  for (const TableCell& cell : grid.cells) {
    filled += cell.column_span;
    header += cell.row == 0;
  }
  const bool named = header == grid.columns && header > 2;
  return filled >= (named ? kLeastUnderHeader : kLeastOccupancy) * grid.rows * grid.columns;
}

}  // namespace

std::optional<TableGrid> table_grid(const std::vector<TextLine>& joined,
                                    std::span<const Word> words) {
  if (joined.empty()) return std::nullopt;
  const double em = typical_size(joined);
  const std::vector<TextLine> lines = split_at_gaps(joined, words, em);
  const auto rows = group_rows(lines);
  const std::vector<Span> spans = column_spans(lines, rows, em, 0.4);
  TableGrid grid;
  grid.columns = int(spans.size());
  if (grid.columns < 2 || int(rows.size()) < kLeastRows) return std::nullopt;
  Box above;
  for (const auto& row : rows) {
    Box box;
    for (int i : row) box = unite(box, lines[i].box);
    std::vector<TableCell> cells = row_cells(lines, row, spans, grid.rows, em);
    if (grid.rows > 0 && continues(cells, box, above, grid.columns, em)) {
      append_to_last_row(grid, std::move(cells));
    } else {
      grid.cells.insert(grid.cells.end(), cells.begin(), cells.end());
      ++grid.rows;
    }
    above = box;
  }
  std::stable_sort(grid.cells.begin(), grid.cells.end(),
                   [](const TableCell& a, const TableCell& b) {
                     return std::pair(a.row, a.column) < std::pair(b.row, b.column);
                   });
  if (grid.rows < kLeastRows || !filled_enough(grid)) return std::nullopt;
  return grid;
}

std::string table_html(const TableGrid& grid, std::span<const Word> words) {
  std::string html = "<table>";
  size_t next = 0;
  for (int row = 0; row < grid.rows; ++row) {
    html += "<tr>";
    for (int column = 0; column < grid.columns;) {
      if (next == grid.cells.size() || grid.cells[next].row != row ||
          grid.cells[next].column > column) {
        html += "<td></td>";
        ++column;
        continue;
      }
      const TableCell& cell = grid.cells[next++];
      html += cell.column_span > 1 ? "<td colspan=\"" + std::to_string(cell.column_span) + "\">"
                                   : "<td>";
      for (size_t i = 0; i < cell.lines.size(); ++i)
        html += (i ? " " : "") + escape_html(line_text(words, cell.lines[i]), false);
      html += "</td>";
      column += cell.column_span;
    }
    html += "</tr>";
  }
  return html + "</table>";
}

std::string table_html(std::span<const GridCell> cells, std::span<const Word> words,
                       std::span<const int> own) {
  std::vector<std::vector<int>> inside(cells.size());
  for (int i : own) {
    const Box& box = words[i].box;
    const int x = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2;
    const auto far = [&](const Box& cell) {  // 0 inside
      return std::max({0, cell.x0 - x, x - cell.x1}) + std::max({0, cell.y0 - y, y - cell.y1});
    };
    const auto home = std::min_element(cells.begin(), cells.end(),
                                       [&](auto& a, auto& b) { return far(a.box) < far(b.box); });
    inside[size_t(home - cells.begin())].push_back(i);
  }
  std::string html = "<table>";
  int row = -1;
  for (size_t c = 0; c < cells.size(); ++c) {
    const GridCell& cell = cells[c];
    for (; row < cell.row; ++row) html += row < 0 ? "<tr>" : "</tr><tr>";
    html += "<td";
    if (cell.column_span > 1) html += " colspan=\"" + std::to_string(cell.column_span) + "\"";
    if (cell.row_span > 1) html += " rowspan=\"" + std::to_string(cell.row_span) + "\"";
    html += ">";
    std::vector<Box> boxes;
    for (int i : inside[c]) boxes.push_back(words[i].box);
    std::string text;
    for (auto line : group_rows(boxes)) {
      for (int& i : line) i = inside[c][size_t(i)];
      text += (text.empty() ? "" : " ") + line_text(words, line);
    }
    html += escape_html(text, false) + "</td>";
  }
  return html + "</tr></table>";
}

}  // namespace docspec
