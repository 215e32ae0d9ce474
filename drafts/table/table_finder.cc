#include "drafts/table/table_finder.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/median.h"
#include "drafts/grid/table_columns.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/text_blocks.h"
#include "drafts/table/ledgers.h"
#include "drafts/table/long_entries.h"
#include "drafts/table/prose_columns.h"
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
  int gap = 0;         // the widest between two rows
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

/// Whether a line is a heading beside the first one of a table, which may be bold itself.
bool heads(const TextLine& line, const TextLine& first) {
  constexpr double kLarger = 1.12, kThanBold = 1.3;
  return line.bold && !line.rough_size &&
         line.size_px > (first.bold ? kThanBold : kLarger) * first.size_px;
}

bool fits(const Growing& table, const Box& row, size_t cells, double em) {
  if (row.y0 - table.box.y1 > 2.2 * em) return false;
  const int common = std::min(row.x1, table.box.x1) - std::max(row.x0, table.box.x0);
  if (table.singles > kMostSingles) return false;
  if (cells == 1) return table.singles < kMostSingles && common >= 0.9 * row.width();
  return common * 2 >= std::min(row.width(), table.box.width());
}

/// Whether a row far below the others has a cell below none of theirs: another thing begins there.
bool starts_anew(const Growing& table, const std::vector<int>& row, const Box& box,
                 const std::vector<TextLine>& lines, double em) {
  if (table.many < 2 || box.y0 - table.box.y1 < table.gap + em) return false;
  return std::any_of(row.begin(), row.end(), [&](int i) {
    return std::none_of(table.lines.begin(), table.lines.end(), [&](int k) {
      const Box &own = lines[size_t(i)].box, &above = lines[size_t(k)].box;
      return own.x0 < above.x1 && own.x1 > above.x0;
    });
  });
}

/// Whether a line holds two cells of a table whose blank is narrow: it begins at the left edge, and
/// its part after a blank wider than one between words begins where other cells do.
bool holds_two_cells(const Growing& table, const TextLine& line, std::span<const Word> words,
                     const std::vector<TextLine>& lines) {
  const double em = line.size_px;
  if (line.words.empty() || is_list_marker(words[size_t(line.words.front())].text)) return false;
  for (size_t k = 1; k < line.words.size(); ++k) {
    const int x0 = words[size_t(line.words[k])].box.x0;
    if (x0 - words[size_t(line.words[k - 1])].box.x1 <= 0.45 * em ||
        std::abs(line.box.x0 - table.box.x0) > em / 4)
      continue;
    const auto begin_there = std::count_if(table.lines.begin(), table.lines.end(), [&](int i) {
      return std::abs(lines[size_t(i)].box.x0 - x0) < em / 4;
    });
    if (begin_there * 2 > table.many) return true;
  }
  return false;
}

/// Two columns alone are also how labels, outlines and narrow text columns look. `entries`: how
/// many of its lines are long entries.
bool plausible(const TableGrid& grid, std::span<const Word> words, size_t entries) {
  if (is_prose(grid, words) || lists_contents(grid, words) || are_lists(grid, words)) return false;
  if (grid.columns > 2 || lists_code(grid, words) || entries * 2 >= size_t(grid.rows)) return true;
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

/// Where what stands in two neighbouring columns of a grid stands in rows of its own; 0 = nowhere.
int parted_at(const TableGrid& grid, const std::vector<TextLine>& own, std::span<const Word> words,
              double em) {
  std::vector<Box> columns(size_t(grid.columns));
  for (const CellLines& cell : grid.cells)
    for (const auto& line : cell.lines)
      for (int w : line)
        if (Box& box = columns[size_t(cell.column)]; cell.column_span == 1)
          box = unite(box, words[size_t(w)].box);
  for (size_t c = 1; c < columns.size(); ++c) {
    const int x = (columns[c - 1].x1 + columns[c].x0) / 2;
    if (columns[c - 1].x1 < columns[c].x0 && parts_columns(own, x, em)) return x;
  }
  return 0;
}

/// The rows of a group of lines at one side of x, as a table.
Growing side_of(const std::vector<int>& group, const std::vector<TextLine>& lines, int x,
                bool left) {
  Growing side;
  std::vector<int> own;
  std::vector<Box> boxes;
  for (int i : group)
    if (left ? lines[size_t(i)].box.x1 <= x : lines[size_t(i)].box.x0 >= x) {
      own.push_back(i);
      boxes.push_back(lines[size_t(i)].box);
    }
  for (const std::vector<int>& row : group_rows(boxes)) {
    for (int k : row) side.lines.push_back(own[size_t(k)]);
    side.many += row.size() > 1;
    if (row.size() > 1) side.certain = side.lines.size();
  }
  return side;
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

/// Runs of short neighbours, and of long entries, in a row: prose of another column ends a run, and
/// so does the gutter.
std::vector<std::vector<int>> short_runs(const std::vector<TextLine>& lines,
                                         const std::vector<int>& row, int width_px,
                                         const Gutters& gutters, const std::vector<bool>& entries) {
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
      if (short_cell(lines[i], code) || entries[size_t(i)])
        runs.back().push_back(i);
      else
        runs.emplace_back();
  }
  std::erase_if(runs, [](const auto& run) { return run.empty(); });
  return runs;
}

/// Whether a third of a table's cells are figures, and half of its rows begin with a name.
bool holds_figures(const TableGrid& grid, std::span<const Word> words) {
  size_t figures = 0, names = 0;
  for (const CellLines& cell : grid.cells) {
    const std::string text = line_text(words, cell.lines.front());
    figures += is_numeric(text);
    names += cell.column == 0 && std::isalpha(uint8_t(text[0])) && text.size() > 1;
  }
  return figures * 3 >= grid.cells.size() && names * 2 >= size_t(grid.rows);
}

/// The rows of a table as far as it is certain, as indices of its lines, and the space above each.
struct TableRows {
  std::vector<std::vector<int>> rows;
  std::vector<int> spaces;

  TableRows(const Growing& table, const std::vector<TextLine>& lines) {
    std::vector<Box> boxes;
    for (size_t k = 0; k < table.certain; ++k) boxes.push_back(lines[size_t(table.lines[k])].box);
    int bottom = 0;
    for (const std::vector<int>& row : group_rows(boxes)) {
      Box box;
      rows.emplace_back();
      for (int i : row) {
        rows.back().push_back(table.lines[size_t(i)]);
        box = unite(box, boxes[size_t(i)]);
      }
      spaces.push_back(rows.size() == 1 ? 0 : box.y0 - bottom);
      bottom = std::max(bottom, box.y1);
    }
  }

  /// Whether the space above a row is wider than most, by a part of `em`.
  bool stands_apart(size_t row, double em) const {
    constexpr double kWider = 0.3;
    return spaces[row] >= median(std::vector<int>(spaces.begin() + 1, spaces.end())) + kWider * em;
  }

  /// Where the widest space is, if it is wider than the others; 0 else.
  size_t widest(double em) const {
    if (rows.size() < 2) return 0;
    const size_t at = size_t(std::max_element(spaces.begin() + 1, spaces.end()) - spaces.begin());
    return stands_apart(at, em) ? at : 0;
  }

  /// Where another table begins below this one: a bold head of three names and more apart from the
  /// rows above, or a bold title above such a head; 0 = nowhere.
  size_t second_table(const std::vector<TextLine>& lines, std::span<const Word> words,
                      double em) const {
    constexpr size_t kLeastNames = 3;
    const auto bold = [&](size_t row) {
      return std::all_of(rows[row].begin(), rows[row].end(),
                         [&](int i) { return lines[size_t(i)].bold; });
    };
    const auto is_head = [&](size_t row) {
      return bold(row) && rows[row].size() >= kLeastNames &&
             std::none_of(rows[row].begin(), rows[row].end(), [&](int i) {
               return is_numeric(line_text(words, lines[size_t(i)].words));
             });
    };
    for (size_t r = 1; r + 1 < rows.size(); ++r)
      if (bold(r) && !bold(r - 1) && stands_apart(r, em) &&
          (is_head(r) || (rows[r].size() == 1 && is_head(r + 1))))
        return r;
    return 0;
  }

  /// The rows above and below row `cut`.
  std::vector<Growing> parted(size_t cut) const {
    std::vector<Growing> parts(2);
    for (size_t r = 0; r < rows.size(); ++r) {
      Growing& part = parts[r >= cut];
      part.lines.insert(part.lines.end(), rows[r].begin(), rows[r].end());
      part.many += rows[r].size() > 1;
      if (rows[r].size() > 1) part.certain = part.lines.size();
    }
    return parts;
  }
};

/// Adds a table, or the tables that its parts are. `is_part`: it is a part, and must hold figures.
void finish(const Growing& table, const std::vector<TextLine>& lines, std::span<const Word> words,
            const Gutters& gutters, const std::vector<bool>& entries, bool is_part,
            std::vector<std::vector<int>>& tables) {
  if (table.many < 3) return;
  const double em = lines[size_t(table.lines.front())].size_px;
  const TableRows rows(table, lines);
  if (const size_t cut = rows.second_table(lines, words, em)) {
    const size_t before = tables.size();
    for (const Growing& part : rows.parted(cut))
      finish(part, lines, words, gutters, entries, true, tables);
    if (tables.size() > before + 1) return;
    tables.resize(before);
  }
  std::vector<int> chosen(table.lines.begin(), table.lines.begin() + std::ptrdiff_t(table.certain));
  std::vector<int> widened = longer_cells(chosen, lines, gutters);
  widened.insert(widened.begin(), chosen.begin(), chosen.end());
  const auto without = [](std::vector<int>& all, const std::vector<int>& text) {
    std::erase_if(all, [&](int i) { return std::find(text.begin(), text.end(), i) != text.end(); });
  };
  if (const std::vector<int> text = text_beside(chosen, lines); !text.empty()) {
    without(chosen, text);
    widened = chosen;
  }
  if (const std::vector<int> text = text_beside_labels(widened, lines, words); !text.empty()) {
    without(chosen, text);
    without(widened, text);
  }
  if (chosen.empty()) return;
  for (const auto& candidate : {widened, chosen}) {
    const bool taken = std::any_of(tables.begin(), tables.end(), [&](const auto& other) {
      return std::find_first_of(other.begin(), other.end(), candidate.begin(), candidate.end()) !=
             other.end();
    });
    const auto grid = taken ? std::nullopt : table_grid(chosen_lines(candidate, lines), words);
    const auto listed = std::count_if(candidate.begin(), candidate.end(),
                                      [&](int i) { return entries[size_t(i)]; });
    if (!grid || (is_part && !holds_figures(*grid, words)) ||
        !plausible(*grid, words, size_t(listed)) || is_of_columns(candidate, lines, gutters) ||
        is_spaced_prose(candidate, lines))
      continue;
    if (const int x = parted_at(*grid, chosen_lines(candidate, lines), words, em)) {
      const size_t before = tables.size();
      for (const bool left : {true, false})
        if (const Growing side = side_of(candidate, lines, x, left);
            side.lines.size() < table.lines.size())  // longer cells may be of the other side
          finish(side, lines, words, gutters, entries, is_part, tables);
      if (tables.size() > before + 1) return;
      tables.resize(before);  // names of several lines stand askew to their figures, too
    }
    tables.push_back(candidate);
    return;
  }
  if (const size_t cut = rows.widest(em))
    for (const Growing& part : rows.parted(cut))
      finish(part, lines, words, gutters, entries, true, tables);
}

}  // namespace

std::vector<std::vector<int>> find_tables(const std::vector<TextLine>& lines,
                                          std::span<const Word> words, int width_px,
                                          const Gutters& gutters) {
  const std::vector<std::vector<int>> rows = group_rows(lines);
  std::vector<std::vector<int>> tables =
      find_ledgers(rows, lines, words, width_px, gutters, Ledger::amounts);
  std::vector<bool> is_short;
  for (const TextLine& line : lines) is_short.push_back(short_cell(line, false));
  const std::vector<bool> entries = find_long_entries(rows, lines, words, gutters, is_short);
  std::vector<Growing> growing;
  for (const std::vector<int>& row : rows) {
    for (const auto& run : short_runs(lines, row, width_px, gutters, entries)) {
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
      if (home != growing.end() && starts_anew(*home, run, box, lines, em)) {
        home->singles = kMostSingles + 1;
        home = growing.end();
      }
      if (home == growing.end()) {
        if (run.size() < 2) continue;
        home = growing.insert(growing.end(), Growing{});
      }
      home->lines.insert(home->lines.end(), run.begin(), run.end());
      if (!home->box.empty()) home->gap = std::max(home->gap, box.y0 - home->box.y1);
      home->box = unite(home->box, box);
      if (run.size() >= 2 || holds_two_cells(*home, lines[run.front()], words, lines)) {
        ++home->many;
        home->singles = 0;
        home->certain = home->lines.size();
      } else {
        ++home->singles;
      }
    }
  }
  for (const Growing& table : growing) finish(table, lines, words, gutters, entries, false, tables);
  for (auto& contents : find_ledgers(rows, lines, words, width_px, gutters, Ledger::contents)) {
    const auto shares = [&](const std::vector<int>& table) {
      return std::find_first_of(table.begin(), table.end(), contents.begin(), contents.end()) !=
             table.end();
    };
    size_t shared = 0;  // lines of the tables that are pieces of it
    for (const auto& table : tables) shared += shares(table) ? table.size() : 0;
    if (shared >= contents.size()) continue;
    std::erase_if(tables, shares);
    tables.push_back(std::move(contents));
  }
  return tables;
}

}  // namespace docspec
