#include "drafts/table/table_finder.h"

#include <algorithm>
#include <array>
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

constexpr int kMostSingles = 2;

/// `code`: also of type of one width.
bool short_cell(const TextLine& line, bool code) {
  return line.chars <= 42 && line.words.size() <= 7 && line.quarter_turns == 0 &&
         (code || !line.mono);
}

/// Code and what it means, side by side.
bool explains_code(const std::vector<TextLine>& lines, const std::vector<int>& row) {
  return row.size() == 2 && lines[size_t(row[0])].mono != lines[size_t(row[1])].mono;
}

/// Whether nearly all that stands in one of two columns is code, and next to nothing in the other.
bool lists_code(const TableGrid& grid, std::span<const Word> words) {
  std::array<size_t, 2> all{}, code{};  // words of the columns
  for (const CellLines& cell : grid.cells)
    for (const auto& line : cell.lines)
      for (int w : line) {
        ++all[size_t(cell.column > 0)];
        code[size_t(cell.column > 0)] += font_style(words[size_t(w)].font).mono;
      }
  const auto nearly_all = [&](size_t c) { return code[c] * 5 >= all[c] * 4; };
  const auto hardly_any = [&](size_t c) { return code[c] * 5 <= all[c]; };
  return (nearly_all(0) && hardly_any(1)) || (hardly_any(0) && nearly_all(1));
}

/// Whether a line is a heading beside the first one of a table.
bool heads(const TextLine& line, const TextLine& first) {
  return line.bold && !first.bold && !line.rough_size && line.size_px > 1.12 * first.size_px;
}

bool fits(const Growing& table, const Box& row, size_t cells, double em) {
  if (row.y0 - table.box.y1 > 2.2 * em) return false;
  const int common = std::min(row.x1, table.box.x1) - std::max(row.x0, table.box.x0);
  if (table.singles > kMostSingles) return false;
  if (cells == 1) return table.singles < kMostSingles && common >= 0.9 * row.width();
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
                              const Gutters& gutters) {
  Box box;
  for (int i : table) box = unite(box, lines[i].box);
  const auto beyond_gutter = [&](const Box& line) {
    return gutters.parts(line, box) || gutters.parts(box, line);
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
                                         const Gutters& gutters) {
  std::vector<std::vector<int>> near(1), runs;
  for (int i : row) {
    const Box* last = near.back().empty() ? nullptr : &lines[near.back().back()].box;
    if (last &&
        (lines[i].box.x0 - last->x1 > 0.35 * width_px || gutters.parts(*last, lines[i].box)))
      near.emplace_back();
    near.back().push_back(i);
  }
  for (const std::vector<int>& neighbours : near) {
    const bool code = explains_code(lines, neighbours);
    runs.emplace_back();
    for (int i : neighbours)
      if (short_cell(lines[i], code))
        runs.back().push_back(i);
      else
        runs.emplace_back();
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
            const Gutters& gutters, std::vector<std::vector<int>>& tables) {
  if (table.many < 3) return;
  std::vector<int> chosen(table.lines.begin(), table.lines.begin() + std::ptrdiff_t(table.certain));
  std::vector<int> widened = longer_cells(chosen, lines, gutters);
  widened.insert(widened.begin(), chosen.begin(), chosen.end());
  for (const auto& candidate : {widened, chosen}) {
    const bool taken = std::any_of(tables.begin(), tables.end(), [&](const auto& other) {
      return std::find_first_of(other.begin(), other.end(), candidate.begin(), candidate.end()) !=
             other.end();
    });
    const auto grid = taken ? std::nullopt : grid_of(candidate, lines, words);
    const bool of_columns =
        std::any_of(gutters.all().begin(), gutters.all().end(),
                    [&](const Gutter& gutter) { return is_of_columns(candidate, lines, gutter); });
    if (!grid || !plausible(*grid, words) || of_columns) continue;
    tables.push_back(candidate);
    return;
  }
}

}  // namespace

std::vector<std::vector<int>> find_tables(const std::vector<TextLine>& lines,
                                          std::span<const Word> words, int width_px,
                                          const Gutters& gutters) {
  std::vector<std::vector<int>> tables;
  std::vector<Growing> growing;
  for (const auto& row : group_rows(lines)) {
    for (const auto& run : short_runs(lines, row, width_px, gutters)) {
      Box box;
      for (int i : run) box = unite(box, lines[i].box);
      const double em = lines[run.front()].size_px;
      auto home = std::find_if(growing.begin(), growing.end(),
                               [&](const Growing& t) { return fits(t, box, run.size(), em); });
      // A heading between two tables ends the first.
      if (home != growing.end() && heads(lines[run.front()], lines[home->lines.front()])) {
        home->singles = kMostSingles + 1;  // nothing fits it any more
        continue;
      }
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
  for (const Growing& table : growing) finish(table, lines, words, gutters, tables);
  return tables;
}

}  // namespace docspec
