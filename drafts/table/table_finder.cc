#include "drafts/table/table_finder.h"

#include <algorithm>
#include <cmath>

#include "drafts/grid/table_columns.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/line_text.h"
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

/// Two columns alone are also how labels, outlines and narrow text columns look.
bool plausible(const TableGrid& grid, std::span<const Word> words) {
  if (is_prose(grid, words) || lists_contents(grid, words)) return false;
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

void finish(const Growing& table, const std::vector<TextLine>& lines, std::span<const Word> words,
            const Gutters& gutters, std::vector<std::vector<int>>& tables) {
  if (table.many < 3) return;
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
    const auto grid = taken ? std::nullopt : grid_of(candidate, lines, words);
    if (!grid || !plausible(*grid, words) || is_of_columns(candidate, lines, gutters)) continue;
    tables.push_back(candidate);
    return;
  }
}

/// What a ledger is: amounts of money, or pages of a list of contents, where a name may stand
/// between label and page.
enum class Ledger { amounts, contents };

/// A row of a ledger: what it is about at the left, figures at the right, or one of both.
struct LedgerRow {
  int label = -1, name = -1;  // indices of lines, if it has them
  std::vector<int> figures;   // indices of lines, from left to right
  bool parted = false;        // so wide a gap between them that they look like two text columns

  bool is_entry() const { return label >= 0 && !figures.empty(); }
};

/// The row as one of a ledger; nothing if another thing stands there.
std::optional<LedgerRow> ledger_row(const std::vector<int>& row, const std::vector<TextLine>& lines,
                                    std::span<const Word> words, int width_px,
                                    const Gutters& gutters, Ledger kind) {
  const size_t longest = kind == Ledger::amounts ? 80 : 120;  // characters of a label
  constexpr size_t kMostWords = 3;                            // of one figure
  constexpr double kLeastGap = 2, kWidestGap = 0.35;          // em, of the page
  const auto is_figure = [&](const TextLine& line) {
    return line.words.size() <= kMostWords &&
           std::all_of(line.words.begin(), line.words.end(), [&](int w) {
             const std::string& text = words[size_t(w)].text;
             return is_numeric(text) || text == "-" || text == "\u2013" || text == "$" ||
                    text == "\u20ac" || text == "\u00a3" || text == "%";
           });
  };
  LedgerRow found;
  for (int i : row) {
    const TextLine& line = lines[size_t(i)];
    if (line.quarter_turns != 0) return std::nullopt;
    if (is_figure(line))
      found.figures.push_back(i);
    else if (found.label < 0 && found.figures.empty() && line.chars <= longest)
      found.label = i;
    else if (kind == Ledger::contents && found.name < 0 && found.figures.empty() &&
             line.chars <= longest)
      found.name = i;
    else
      return std::nullopt;
  }
  if (!found.is_entry()) return found;
  const Box& label = lines[size_t(found.name < 0 ? found.label : found.name)].box;
  const Box& figure = lines[size_t(found.figures[0])].box;
  if (figure.x0 - label.x1 < kLeastGap * lines[size_t(found.label)].size_px) return std::nullopt;
  found.parted = figure.x0 - label.x1 > kWidestGap * width_px || gutters.parts(label, figure);
  return found;
}

/// Whether rows are a ledger and no numbered formulas or numbered lines: the last figures end at
/// one edge, and half of them are amounts, or all are numbers of pages, which hardly ever fall.
bool is_ledger(std::span<const LedgerRow> rows, const std::vector<TextLine>& lines,
               std::span<const Word> words, Ledger kind) {
  constexpr size_t kLeastEntries = 4;
  constexpr size_t kLeastDigits = 3, kLongNumber = 5;  // of an amount; of one without marks
  constexpr size_t kMostPageDigits = 4, kLeastPages = 6;
  std::vector<int> ends, pages;
  size_t amounts = 0, parted = 0, falls = 0;
  double em = 0;
  for (const LedgerRow& row : rows) {
    if (!row.is_entry()) continue;
    const TextLine& last = lines[size_t(row.figures.back())];
    const std::string text = line_text(words, last.words);
    em = last.size_px;
    ends.push_back(last.box.x1);
    parted += row.parted;
    const size_t digits = count_digits(text);
    const bool money = text.find_first_of("$%") != text.npos || text.ends_with("\u20ac") ||
                       text.ends_with("\u00a3");
    if (digits == text.size() && digits <= kMostPageDigits && row.figures.size() == 1) {
      const int page = std::stoi(text);
      falls += !pages.empty() && page < pages.back();
      pages.push_back(page);
    }
    amounts += !text.starts_with('(') &&
               (money || digits >= kLongNumber ||
                (digits >= kLeastDigits && text.find_first_of(".,") != text.npos));
  }
  const bool contents = pages.size() == ends.size() && pages.size() >= kLeastPages &&
                        falls * 10 < pages.size() && pages.front() < pages.back();
  if (ends.size() < kLeastEntries || parted * 3 < ends.size() ||
      (kind == Ledger::amounts ? amounts * 2 < ends.size() : !contents))
    return false;
  std::sort(ends.begin(), ends.end());
  const int edge = ends[ends.size() / 2];
  const auto at_edge =
      std::count_if(ends.begin(), ends.end(), [&](int x) { return std::abs(x - edge) <= em; });
  return size_t(at_edge) * 5 >= ends.size() * 4 && ends.size() * 2 >= rows.size();
}

/// Whether a row is the head of the ledger below it: short names without digits, three at least,
/// the first one over the labels and the last one over the figures.
bool heads_ledger(const std::vector<int>& head, const std::vector<int>& ledger,
                  const std::vector<TextLine>& lines, std::span<const Word> words) {
  constexpr size_t kLeastNames = 3, kMostWords = 3;
  constexpr double kNear = 2.2;  // em
  if (head.size() < kLeastNames) return false;
  Box box, all;
  for (int i : ledger) all = unite(all, lines[size_t(i)].box);
  for (int i : head) {
    const TextLine& line = lines[size_t(i)];
    box = unite(box, line.box);
    if (line.words.size() > kMostWords || count_digits(line_text(words, line.words)) > 0)
      return false;
  }
  const double em = lines[size_t(ledger.front())].size_px;
  return all.y0 - box.y1 < kNear * em && all.y0 > box.y1 && std::abs(box.x0 - all.x0) < em &&
         std::abs(box.x1 - all.x1) < 2 * em;
}

/// Balance sheets and bills: labels at the left of a page and, far from them, figures that end at
/// one edge. Their rows are not parted as two columns of text are. `groups`: the rows of all lines.
std::vector<std::vector<int>> find_ledgers(const std::vector<std::vector<int>>& groups,
                                           const std::vector<TextLine>& lines,
                                           std::span<const Word> words, int width_px,
                                           const Gutters& gutters, Ledger kind) {
  constexpr double kWidestSpace = 4;  // em between two rows
  constexpr int kMostLabels = 2;      // rows without figures, one after the other
  std::vector<std::vector<int>> ledgers;
  std::vector<LedgerRow> rows;
  std::vector<int> above, before;  // the row above the ledger, and the one above the next row
  int labels = 0, bottom = 0;
  const auto end = [&] {
    while (!rows.empty() && !rows.back().is_entry()) rows.pop_back();
    std::vector<int> found;
    for (const LedgerRow& row : rows) {
      for (int i : {row.label, row.name})
        if (i >= 0) found.push_back(i);
      found.insert(found.end(), row.figures.begin(), row.figures.end());
    }
    if (is_ledger(rows, lines, words, kind) && !is_of_columns(found, lines, gutters) &&
        grid_of(found, lines, words)) {
      if (heads_ledger(above, found, lines, words))
        found.insert(found.begin(), above.begin(), above.end());
      ledgers.push_back(std::move(found));
    }
    rows.clear();
    labels = 0;
  };
  for (const std::vector<int>& group : groups) {
    auto row = ledger_row(group, lines, words, width_px, gutters, kind);
    const TextLine& first = lines[size_t(group.front())];
    if (!row || first.box.y0 - bottom > kWidestSpace * first.size_px) end();
    labels = row && row->figures.empty() ? labels + 1 : 0;
    if (labels > kMostLabels) end();
    bottom = first.box.y1;
    if (row && (!rows.empty() || !row->figures.empty())) {
      if (rows.empty()) above = before;
      rows.push_back(std::move(*row));
    }
    before = group;
  }
  end();
  return ledgers;
}

}  // namespace

std::vector<std::vector<int>> find_tables(const std::vector<TextLine>& lines,
                                          std::span<const Word> words, int width_px,
                                          const Gutters& gutters) {
  const std::vector<std::vector<int>> rows = group_rows(lines);
  std::vector<std::vector<int>> tables =
      find_ledgers(rows, lines, words, width_px, gutters, Ledger::amounts);
  std::vector<Growing> growing;
  for (const std::vector<int>& row : rows) {
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
  for (const Growing& table : growing) finish(table, lines, words, gutters, tables);
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
