#include "drafts/table_structure.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace docspec {
namespace {

constexpr int kLeastRows = 3;
constexpr double kLeastOccupancy = 0.6;
constexpr double kLeastUnderHeader =
    0.35;  // where the first row names every one of 3 or more columns

std::vector<Box> boxes_of(const std::vector<TextLine>& lines) {
  std::vector<Box> boxes;
  for (const TextLine& line : lines) boxes.push_back(line.box);
  return boxes;
}

double typical_size(const std::vector<TextLine>& lines) {
  std::vector<double> sizes;
  for (const TextLine& line : lines) sizes.push_back(line.size_px);
  std::nth_element(sizes.begin(), sizes.begin() + sizes.size() / 2, sizes.end());
  return sizes[sizes.size() / 2];
}

struct Span {
  int from = 0, to = 0;
};

/// x-ranges of the columns: where more than an eighth of the rows have text (a header may span).
std::vector<Span> column_spans(const std::vector<TextLine>& lines,
                               const std::vector<std::vector<int>>& rows, double em) {
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
    if (spans.empty() || x - spans.back().to > 0.4 * em) spans.push_back({x, x});
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
  const std::vector<Span> spans = column_spans(pieces, group_rows(boxes_of(pieces)), em);
  const auto column = [&](int word) {
    const int middle = (words[word].box.x0 + words[word].box.x1) / 2;
    return std::find_if(spans.begin(), spans.end(), [&](const Span& s) { return middle < s.to; });
  };
  std::vector<TextLine> cut;
  for (const TextLine& line : lines)
    for (size_t k = 0; k < line.words.size(); ++k) {
      const Word& word = words[line.words[k]];
      const bool apart = k > 0 && column(line.words[k]) != column(line.words[k - 1]) &&
                         word.box.x0 - words[line.words[k - 1]].box.x1 > 0.4 * em;
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

bool numeric(const std::string& text) {
  const auto digits =
      std::count_if(text.begin(), text.end(), [](char c) { return std::isdigit(uint8_t(c)); });
  return digits * 2 >= std::ptrdiff_t(text.size());
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text)
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  return out;
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

/// A table that grows row by row while its rows are found.
struct Growing {
  std::vector<int> lines;
  Box box;
  int many = 0;        // rows with two cells or more
  int singles = 0;     // rows with one cell since the last of those
  size_t certain = 0;  // lines up to the last row with two cells or more
};

bool short_cell(const TextLine& line) {
  return line.chars <= 42 && line.words.size() <= 7 && line.quarter_turns == 0 && !line.mono;
}

bool fits(const Growing& table, const Box& row, size_t cells, double em) {
  if (row.y0 - table.box.y1 > 2.2 * em) return false;
  const int common = std::min(row.x1, table.box.x1) - std::max(row.x0, table.box.x0);
  if (cells == 1) return table.singles < 2 && common >= 0.9 * row.width();
  return common * 2 >= std::min(row.width(), table.box.width());
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

/// Two columns alone are also how labels, outlines and narrow text columns look.
bool plausible(const TableGrid& grid, std::span<const Word> words) {
  if (grid.columns > 2) return true;
  int numbers = 0, second = 0;
  size_t many_words = 0;
  for (const TableCell& cell : grid.cells) {
    size_t count = 0;
    for (const auto& line : cell.lines) count += line.size();
    many_words += count > 4;
    if (cell.column != 1) continue;
    ++second;
    numbers += numeric(line_text(words, cell.lines.front()));
  }
  return many_words * 4 <= grid.cells.size() && numbers * 2 >= second;
}

/// Longer cells in the rows of a table that were taken for prose; none when they belong to a text
/// column that goes on above or below the table.
std::vector<int> longer_cells(const std::vector<int>& table, const std::vector<TextLine>& lines) {
  Box box;
  for (int i : table) box = unite(box, lines[i].box);
  const double em = lines[table.front()].size_px;
  std::vector<int> extra;
  for (int i = 0; i < int(lines.size()); ++i)
    if (lines[i].middle() > box.y0 && lines[i].middle() < box.y1 && lines[i].quarter_turns == 0 &&
        std::find(table.begin(), table.end(), i) == table.end())
      extra.push_back(i);
  for (const TextLine& line : lines) {
    const bool above = line.middle() <= box.y0 && line.middle() > box.y0 - 2.5 * em;
    const bool below = line.middle() >= box.y1 && line.middle() < box.y1 + 2.5 * em;
    if (!above && !below) continue;
    for (int i : extra)
      if (line.box.x0 > box.x0 + 2 * em && std::abs(line.box.x0 - lines[i].box.x0) < em) return {};
  }
  return extra;
}

std::optional<TableGrid> grid_of(const std::vector<int>& chosen, const std::vector<TextLine>& lines,
                                 std::span<const Word> words) {
  std::vector<TextLine> own;
  for (int i : chosen) own.push_back(lines[i]);
  return table_grid(own, words);
}

void finish(const Growing& table, const std::vector<TextLine>& lines, std::span<const Word> words,
            std::vector<std::vector<int>>& tables) {
  if (table.many < kLeastRows) return;
  std::vector<int> chosen(table.lines.begin(), table.lines.begin() + std::ptrdiff_t(table.certain));
  std::vector<int> widened = longer_cells(chosen, lines);
  widened.insert(widened.begin(), chosen.begin(), chosen.end());
  for (const auto& candidate : {widened, chosen}) {
    const bool taken = std::any_of(tables.begin(), tables.end(), [&](const auto& other) {
      return std::find_first_of(other.begin(), other.end(), candidate.begin(), candidate.end()) !=
             other.end();
    });
    const auto grid = taken ? std::nullopt : grid_of(candidate, lines, words);
    if (!grid || !plausible(*grid, words)) continue;
    tables.push_back(candidate);
    return;
  }
}

}  // namespace

std::optional<TableGrid> table_grid(const std::vector<TextLine>& joined,
                                    std::span<const Word> words) {
  if (joined.empty()) return std::nullopt;
  const double em = typical_size(joined);
  const std::vector<TextLine> lines = split_at_gaps(joined, words, em);
  const auto rows = group_rows(boxes_of(lines));
  const std::vector<Span> spans = column_spans(lines, rows, em);
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
        html += (i ? " " : "") + escaped(line_text(words, cell.lines[i]));
      html += "</td>";
      column += cell.column_span;
    }
    html += "</tr>";
  }
  return html + "</table>";
}

std::vector<std::vector<int>> find_tables(const std::vector<TextLine>& lines,
                                          std::span<const Word> words, int width_px) {
  std::vector<std::vector<int>> tables;
  std::vector<Growing> growing;
  for (const auto& row : group_rows(boxes_of(lines))) {
    // Runs of short neighbours: prose of another column ends a run.
    std::vector<std::vector<int>> runs(1);
    for (int i : row) {
      const bool far = !runs.back().empty() &&
                       lines[i].box.x0 - lines[runs.back().back()].box.x1 > 0.35 * width_px;
      if (!short_cell(lines[i]) || far) runs.emplace_back();
      if (short_cell(lines[i])) runs.back().push_back(i);
    }
    for (const auto& run : runs) {
      if (run.empty()) continue;
      Box box;
      for (int i : run) box = unite(box, lines[i].box);
      const double em = lines[run.front()].size_px;
      auto home = std::find_if(growing.begin(), growing.end(),
                               [&](const Growing& t) { return fits(t, box, run.size(), em); });
      if (home == growing.end()) {
        if (run.size() < 2) continue;
        home = growing.insert(growing.end(), Growing{});
      }
      home->lines.insert(home->lines.end(), run.begin(), run.end());
      home->box = unite(home->box, box);
      if (run.size() >= 2) {
        ++home->many;
        home->singles = 0;
        home->certain = home->lines.size();
      } else {
        ++home->singles;
      }
    }
  }
  for (const Growing& table : growing) finish(table, lines, words, tables);
  return tables;
}

}  // namespace docspec
