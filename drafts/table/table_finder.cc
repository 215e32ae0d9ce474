#include "drafts/table/table_finder.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "drafts/lines/font_style.h"
#include "drafts/lines/line_text.h"
#include "drafts/table/prose_columns.h"
#include "drafts/table/table_columns.h"
#include "drafts/table/table_structure.h"

namespace docspec {
namespace {

/// A table that grows row by row while its rows are found.
struct Growing {
  std::vector<int> lines;
  Box box;
  int many = 0;        // rows with two cells or more
  int singles = 0;     // rows with one cell since the last of those
  size_t certain = 0;  // lines up to the last row with two cells or more
};

/// `code`: also of type of one width.
bool short_cell(const TextLine& line, bool code) {
  return line.chars <= 42 && line.words.size() <= 7 && line.quarter_turns == 0 &&
         (code || !line.mono);
}

/// Code on the left and what it means on the right.
bool explains_code(const std::vector<TextLine>& lines, const std::vector<int>& row) {
  return row.size() == 2 && lines[size_t(row[0])].mono && !lines[size_t(row[1])].mono;
}

/// Whether all that stands in the first of two columns is code, and nothing in the second.
bool lists_code(const TableGrid& grid, std::span<const Word> words) {
  for (const CellLines& cell : grid.cells)
    for (const auto& line : cell.lines)
      for (int w : line)
        if (font_style(words[size_t(w)].font).mono != (cell.column == 0)) return false;
  return true;
}

bool fits(const Growing& table, const Box& row, size_t cells, double em) {
  if (row.y0 - table.box.y1 > 2.2 * em) return false;
  const int common = std::min(row.x1, table.box.x1) - std::max(row.x0, table.box.x0);
  if (cells == 1) return table.singles < 2 && common >= 0.9 * row.width();
  return common * 2 >= std::min(row.width(), table.box.width());
}

/// Two columns alone are also how labels, outlines and narrow text columns look.
bool plausible(const TableGrid& grid, std::span<const Word> words) {
  if (is_prose(grid, words)) return false;
  if (grid.columns > 2 || lists_code(grid, words)) return true;
  int numbers = 0, second = 0;
  size_t many_words = 0;
  for (const CellLines& cell : grid.cells) {
    size_t count = 0;
    for (const auto& line : cell.lines) count += line.size();
    many_words += count > 4;
    if (cell.column != 1) continue;
    ++second;
    numbers += is_numeric(line_text(words, cell.lines.front()));
  }
  return many_words * 4 <= grid.cells.size() && numbers * 2 >= second;
}

/// Longer cells in the rows of a table that were taken for prose; none if they belong to a text
/// column that continues above or below the table.
std::vector<int> longer_cells(const std::vector<int>& table, const std::vector<TextLine>& lines,
                              const std::optional<Gutter>& gutter) {
  Box box;
  for (int i : table) box = unite(box, lines[i].box);
  const auto beyond_gutter = [&](const Box& line) {
    return gutter && (gutter->parts(line, box) || gutter->parts(box, line));
  };
  const double em = lines[table.front()].size_px;
  std::vector<int> extra;
  for (int i = 0; i < int(lines.size()); ++i)
    if (lines[i].middle() > box.y0 && lines[i].middle() < box.y1 && lines[i].quarter_turns == 0 &&
        !beyond_gutter(lines[i].box) && std::find(table.begin(), table.end(), i) == table.end())
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

/// Runs of short neighbours in a row: prose of another column ends a run, and so does the gutter.
std::vector<std::vector<int>> short_runs(const std::vector<TextLine>& lines,
                                         const std::vector<int>& row, int width_px,
                                         const std::optional<Gutter>& gutter) {
  std::vector<std::vector<int>> runs(1);
  const bool code = explains_code(lines, row);
  for (int i : row) {
    bool far = false;
    if (!runs.back().empty()) {
      const Box& last = lines[runs.back().back()].box;
      far = lines[i].box.x0 - last.x1 > 0.35 * width_px ||
            (gutter && gutter->parts(last, lines[i].box));
    }
    if (!short_cell(lines[i], code) || far) runs.emplace_back();
    if (short_cell(lines[i], code)) runs.back().push_back(i);
  }
  std::erase_if(runs, [](const auto& run) { return run.empty(); });
  return runs;
}

/// Whether a column of a page, lines of many words, goes on above or below the lines of a group
/// that lies across the gutter: text that runs around a caption, and no table.
bool is_of_columns(const std::vector<int>& group, const std::vector<TextLine>& lines,
                   const Gutter& gutter) {
  Box box;
  for (int i : group) box = unite(box, lines[size_t(i)].box);
  if (box.x0 >= gutter.x0 || box.x1 <= gutter.x1) return false;
  constexpr double kLeastWords = 3.2;
  const double em = lines[size_t(group.front())].size_px;
  const auto wordy = [&](auto at_edge) {
    size_t words = 0, count = 0;
    for (int i : group)
      if (at_edge(lines[size_t(i)].box)) words += lines[size_t(i)].words.size(), ++count;
    return double(words) >= kLeastWords * double(count);
  };
  const auto at_left = [&](const Box& line) { return std::abs(line.x0 - box.x0) < em; };
  const auto at_right = [&](const Box& line) { return std::abs(line.x1 - box.x1) < em; };
  const auto goes_on = [&](const TextLine& line) {
    const double gap = std::max(box.y0 - line.middle(), line.middle() - box.y1);
    return gap >= 0 && gap <= 1.5 * em && line.quarter_turns == 0 &&
           ((line.box.x1 < gutter.x1 && at_left(line.box) && wordy(at_left)) ||
            (line.box.x0 > gutter.x0 && at_right(line.box) && wordy(at_right)));
  };
  return std::any_of(lines.begin(), lines.end(), goes_on);
}

void finish(const Growing& table, const std::vector<TextLine>& lines, std::span<const Word> words,
            const std::optional<Gutter>& gutter, std::vector<std::vector<int>>& tables) {
  if (table.many < 3) return;
  std::vector<int> chosen(table.lines.begin(), table.lines.begin() + std::ptrdiff_t(table.certain));
  std::vector<int> widened = longer_cells(chosen, lines, gutter);
  widened.insert(widened.begin(), chosen.begin(), chosen.end());
  for (const auto& candidate : {widened, chosen}) {
    const bool taken = std::any_of(tables.begin(), tables.end(), [&](const auto& other) {
      return std::find_first_of(other.begin(), other.end(), candidate.begin(), candidate.end()) !=
             other.end();
    });
    const auto grid = taken ? std::nullopt : grid_of(candidate, lines, words);
    if (!grid || !plausible(*grid, words) || (gutter && is_of_columns(candidate, lines, *gutter)))
      continue;
    tables.push_back(candidate);
    return;
  }
}

}  // namespace

std::vector<std::vector<int>> find_tables(const std::vector<TextLine>& lines,
                                          std::span<const Word> words, int width_px,
                                          const std::optional<Gutter>& gutter) {
  std::vector<std::vector<int>> tables;
  std::vector<Growing> growing;
  for (const auto& row : group_rows(lines)) {
    for (const auto& run : short_runs(lines, row, width_px, gutter)) {
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
  for (const Growing& table : growing) finish(table, lines, words, gutter, tables);
  return tables;
}

}  // namespace docspec
