#include "drafts/table/rows/open_rows.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/rows/row_cuts.h"

namespace docspec {
namespace {

/// The middles of the lines in a cell.
std::vector<double> line_middles(const GridCell& cell, std::span<const Word> words) {
  std::vector<double> middles;
  for (const auto& line : cell_lines(cell, words)) {
    Box box;
    for (const Word* word : line) box = unite(box, word->box);
    middles.push_back((box.y0 + box.y1) / 2.0);
  }
  return middles;
}

/// Whether a cell holds turned words alone: a label beside all of its lines.
bool is_turned(const GridCell& cell, std::span<const Word> words) {
  size_t turned = 0, upright = 0;
  for (const Word& word : words)
    if (holds_middle(cell.box, word.box)) ++(word.quarter_turns % 2 ? turned : upright);
  return turned > 0 && upright == 0;
}

/// Columns of these cells with one line that stands between two lines of the others; the first
/// column's line may be level with the middle one of them. A turned label is of all lines.
std::set<int> spanning_columns(const std::vector<GridCell>& cells, std::span<const Word> words) {
  constexpr double kBetween = 0.35, kLevel = 0.2;  // of the way from line to line
  std::vector<double> lines;
  std::vector<std::pair<int, double>> single;  // column, middle
  std::set<int> turned;
  for (const GridCell& cell : cells) {
    if (is_turned(cell, words)) {
      turned.insert(cell.column);
      continue;
    }
    const std::vector<double> own = line_middles(cell, words);
    if (own.size() == 1) single.emplace_back(cell.column, own[0]);
    if (own.size() > lines.size() && own.size() > 1) lines = own;
  }
  std::set<int> columns = std::move(turned);
  for (const auto& [column, middle] : single) {
    const bool odd = lines.size() % 2 == 1 && lines.size() >= 3;
    const double pitch = odd ? (lines.back() - lines.front()) / double(lines.size() - 1) : 0;
    if (odd && column == cells.front().column &&
        std::abs(middle - (lines.front() + lines.back()) / 2) < kLevel * pitch)
      columns.insert(column);
    for (size_t i = 1; i < lines.size(); ++i) {
      const double at = (middle - lines[i - 1]) / (lines[i] - lines[i - 1]);
      if (at > kBetween && at < 1 - kBetween) columns.insert(column);
    }
  }
  return columns;
}

/// The height of the rows of one line of a statement, a label and numbers in each; 0 where the
/// table is none.
int statement_pitch(const RuledTable& table, std::span<const Word> words) {
  constexpr size_t kLeastRows = 6;
  std::map<int, std::vector<const GridCell*>> rows;
  for (const GridCell& cell : table.cells) rows[cell.row].push_back(&cell);
  std::vector<int> heights;
  size_t statements = 0;
  for (const auto& [row, cells] : rows) {
    size_t numbers = 0;
    bool one_line = cells.size() > 2;
    for (const GridCell* cell : cells) {
      one_line &= cell->row_span == 1 && line_middles(*cell, words).size() < 2;
      numbers += std::any_of(words.begin(), words.end(), [&](const Word& word) {
        return holds_middle(cell->box, word.box) && is_numeric(word.text);
      });
    }
    if (!one_line) continue;
    heights.push_back(cells.front()->box.height());
    statements += numbers + 1 >= cells.size();
  }
  if (heights.size() < kLeastRows || statements * 10 < heights.size() * 8) return 0;
  std::nth_element(heights.begin(), heights.begin() + std::ptrdiff_t(heights.size() / 2),
                   heights.end());
  return heights[heights.size() / 2];
}

/// Whether the lines of a cell stand as far from each other as the rows of a statement, and each
/// ends although the next one's first word, no small one, had room behind it.
bool are_labels(const GridCell& cell, std::span<const Word> words, int pitch) {
  const auto lines = cell_lines(cell, words);
  for (size_t k = 1; k < lines.size(); ++k) {
    const Box &last = lines[k - 1].back()->box, &next = lines[k].front()->box;
    const char initial = lines[k].front()->text[0];
    const int twice = std::abs(next.y0 + next.y1 - last.y0 - last.y1);
    if (twice * 4 > 9 * pitch || twice * 4 < 7 * pitch || initial == '(' ||
        std::islower(uint8_t(initial)) != 0 ||
        last.x1 + next.height() / 2 + next.width() > cell.box.x1)
      return false;
  }
  return lines.size() > 1;
}

/// Whether a line is an item of a list: a bullet and what follows it, from either side.
bool is_item(const std::vector<const Word*>& line) {
  const auto is_mark = [](const Word* word) {
    return is_bullet(word->text) || word->text == "\u2010";
  };
  return line.size() > 1 && (is_mark(line.front()) || is_mark(line.back()));
}

/// Whether the lines of a cell read on: a word goes on in the next line, an item of a list has a
/// line below it that is none, or nearly all of three lines and more begin with small letters below
/// one that does not. Units are no words.
bool reads_on(const GridCell& cell, std::span<const Word> words) {
  constexpr size_t kLeastSmall = 2, kUnit = 4;  // lines; letters
  const auto lines = cell_lines(cell, words);
  const auto is_small = [&](size_t k) {
    return std::islower(uint8_t(lines[k].front()->text[0])) != 0;
  };
  size_t small = 0;
  for (size_t k = 1; k < lines.size(); ++k) {
    if (is_item(lines[0]) && !is_item(lines[k])) return true;
    const std::string& end = lines[k - 1].back()->text;
    if (end.size() > 1 && end.back() == '-' && std::isalpha(uint8_t(end[end.size() - 2])))
      return true;
    const bool unit = lines[k].size() == 1 && lines[k].front()->text.size() <= kUnit;
    small += is_small(k) && !unit;
  }
  return small >= kLeastSmall && small * 3 >= (lines.size() - 1) * 2 && !is_small(0);
}

/// Whether the first of these cells has a number alone in each line, four at least, and the second
/// a text beside nearly all of them: the codes of a list's entries.
bool are_codes(const std::vector<GridCell>& cells, std::span<const Word> words) {
  constexpr size_t kLeast = 4;
  if (cells.size() < 3) return false;
  const auto codes = cell_lines(cells[0], words);
  const bool numbers = std::all_of(codes.begin(), codes.end(), [](const auto& line) {
    return line.size() == 1 && is_numeric(line.front()->text);
  });
  if (codes.size() < kLeast || !numbers) return false;
  const auto texts = cell_lines(cells[1], words);
  const auto beside = std::count_if(codes.begin(), codes.end(), [&](const auto& line) {
    return std::any_of(texts.begin(), texts.end(), [&](const auto& text) {
      return row_overlap(line.front()->box, text.front()->box) > 0.5;
    });
  });
  return size_t(beside) * 10 >= codes.size() * 9 && texts.size() <= codes.size();
}

/// Whether these cells are labels, one in nearly each line, and figures: at least two of five
/// that stand in the other columns, in half of the lines.
bool lists_figures(const std::vector<GridCell>& cells, std::span<const Word> words) {
  constexpr size_t kLeastLines = 3;
  if (cells.size() < 3) return false;
  const auto labels = cell_lines(cells[0], words);
  std::vector<bool> counted(labels.size(), false);
  std::vector<Box> alone;  // in lines without a label
  size_t entries = 0, figures = 0;
  for (size_t c = 1; c < cells.size(); ++c)
    for (const auto& line : cell_lines(cells[c], words)) {
      const auto beside = std::find_if(labels.begin(), labels.end(), [&](const auto& label) {
        return row_overlap(label.front()->box, line.front()->box) > 0.5;
      });
      if (beside == labels.end()) alone.push_back(line.front()->box);
      const auto numbers = std::count_if(line.begin(), line.end(),
                                         [](const Word* word) { return is_numeric(word->text); });
      ++entries;
      if (size_t(numbers) * 2 < line.size()) continue;
      ++figures;
      if (beside != labels.end()) counted[size_t(beside - labels.begin())] = true;
    }
  const auto rows = size_t(std::count(counted.begin(), counted.end(), true));
  return labels.size() >= kLeastLines && group_rows(alone).size() * 4 <= labels.size() &&
         figures * 5 >= entries * 2 && rows * 2 >= labels.size();
}

/// Whether these cells hold numbers alone.
bool all_numbers(const std::vector<GridCell>& cells, std::span<const Word> words) {
  return std::all_of(words.begin(), words.end(), [&](const Word& word) {
    return is_numeric(word.text) || std::none_of(cells.begin(), cells.end(), [&](auto& cell) {
             return holds_middle(cell.box, word.box);
           });
  });
}

/// Whether these cells are set to the foot of their row, as heads are: the first one's only line is
/// level with the last one of the others.
bool stand_at_the_foot(const std::vector<GridCell>& cells, std::span<const Word> words) {
  const auto labels = cell_lines(cells[0], words);
  const auto is_level = [&](const GridCell& cell) {
    const auto lines = cell_lines(cell, words);
    return lines.empty() || row_overlap(labels[0].front()->box, lines.back().front()->box) > 0.5;
  };
  return labels.size() == 1 && std::all_of(cells.begin() + 1, cells.end(), is_level);
}

/// Where the lines of text of row `row` part, when they are rows of their own; else nothing.
/// `pitch`: of the rows of a statement.
RowCuts row_cuts(const RuledTable& table, int row, std::span<const Word> words, int pitch) {
  constexpr size_t kLeastLines = 4, kMany = 8;
  std::vector<GridCell> cells;
  bool spanned = false;
  for (const GridCell& cell : table.cells) {
    if (cell.row > row || cell.row + cell.row_span <= row) continue;
    if (cell.row_span > 1)
      spanned = true;
    else
      cells.push_back(cell);
  }
  if (cells.empty() || (spanned && !all_numbers(cells, words))) return {};
  if (RowCuts found = cuts_at_numbers(cells, words); !found.cuts.empty()) return found;
  if (RowCuts found = cuts_at_whites(cells, words); !spanned && !found.cuts.empty()) return found;
  if (std::any_of(cells.begin(), cells.end(), [&](auto& cell) { return reads_on(cell, words); }))
    return {};
  const std::set<int> spanning = spanning_columns(cells, words);
  std::vector<Box> inside;
  std::vector<int> column;
  std::vector<bool> number;
  int columns = 0;
  for (const GridCell& cell : cells) {
    if (spanning.contains(cell.column)) continue;
    ++columns;
    for (const Word& word : words)
      if (holds_middle(cell.box, word.box)) {
        inside.push_back(word.box);
        column.push_back(cell.column);
        number.push_back(is_numeric(word.text));
      }
  }
  const auto lines = group_rows(inside);
  if (columns < 2 || lines.size() < 2) return {};
  std::vector<int> cuts;
  size_t full = 0, numbers = 0;
  std::map<int, size_t> values;  // lines with a number, by column
  Box above;
  for (const auto& line : lines) {
    std::map<int, int> filled;  // words that are none or numbers, of each column
    Box box;
    for (int i : line) {
      filled[column[size_t(i)]] += number[size_t(i)] ? 1 : -1;
      box = unite(box, inside[size_t(i)]);
    }
    full += filled.size() > 1 && filled.size() * 2 >= size_t(columns);
    size_t counted = 0;
    for (const auto& [c, surplus] : filled)
      if (surplus >= 0) ++counted, ++values[c];
    numbers += counted * 2 >= size_t(columns);
    if (!above.empty()) cuts.push_back((above.y1 + box.y0) / 2);
    above = box;
  }
  // Two columns that have a number in each line: the others are empty in many.
  const auto full_columns = std::count_if(values.begin(), values.end(),
                                          [&](const auto& v) { return v.second == lines.size(); });
  const bool rows_of_numbers = (numbers >= 2 && numbers * 2 >= lines.size()) || full_columns >= 2;
  const bool nearly_all =
      full * 10 >= lines.size() * 9 || full + 1 >= std::max(lines.size(), kMany);
  const bool rows_of_text =
      lines.size() >= kLeastLines && nearly_all && !stand_at_the_foot(cells, words);
  bool figures = true;
  for (size_t i = 0; i < inside.size(); ++i)
    figures &= column[i] == cells.front().column || number[i];
  const bool rows_of_labels = pitch > 0 && figures && are_labels(cells.front(), words, pitch);
  const bool rows = rows_of_numbers || rows_of_text || lists_figures(cells, words) ||
                    rows_of_labels || are_codes(cells, words);
  return rows ? RowCuts{cuts, spanning} : RowCuts();
}

/// Joins a row with the one above it where nothing begins but blank cells and all others are of
/// both, if white parts the rows of the two together: a shade that ends with the text on it seems
/// to end its cell.
void join_blank_rows(RuledTable& table, std::span<const Word> words) {
  for (int row = table.rows - 1; row > 0; --row) {
    std::vector<GridCell> both;
    bool blank = true;
    for (const GridCell& cell : table.cells) {
      if (cell.row == row) blank &= cell_lines(cell, words).empty();
      if (cell.row != row - 1) continue;
      both.push_back(cell);
      blank &= cell.row_span < 3;
    }
    if (!blank || cuts_at_whites(both, words).cuts.empty()) continue;
    std::erase_if(table.cells, [&](const GridCell& cell) { return cell.row == row; });
    int end = 0;
    for (const GridCell& cell : both) end = std::max(end, cell.box.y1);
    for (GridCell& cell : table.cells) {
      if (cell.row == row - 1)
        cell.row_span = 1, cell.box.y1 = end;
      else if (cell.row > row)
        --cell.row;
      else if (cell.row + cell.row_span > row)
        --cell.row_span;
    }
    --table.rows;
  }
}

}  // namespace

size_t count_open_cells(const RuledTable& table, std::span<const Word> words) {
  size_t count = table.cells.size();
  for (int row = 0; row < table.rows; ++row) {
    std::vector<GridCell> cells;
    for (const GridCell& cell : table.cells)
      if (cell.row == row && cell.row_span == 1) cells.push_back(cell);
    count += cuts_at_whites(cells, words).cuts.size() * cells.size();
  }
  return count;
}

void split_open_rows(RuledTable& table, std::span<const Word> words) {
  join_blank_rows(table, words);
  const int pitch = statement_pitch(table, words);
  for (int row = table.rows - 1; row >= 0; --row) {
    const auto [cuts, spanning] = row_cuts(table, row, words, pitch);
    if (cuts.empty()) continue;
    const int more = int(cuts.size());
    std::vector<GridCell> cells;
    for (GridCell cell : table.cells) {
      if (cell.row != row) {
        if (cell.row > row) cell.row += more;
        if (cell.row < row && cell.row + cell.row_span > row) cell.row_span += more;
        cells.push_back(cell);
        continue;
      }
      if (cell.row_span > 1 || spanning.contains(cell.column)) {
        cell.row_span += more;
        cells.push_back(cell);
        continue;
      }
      const Box whole = cell.box;
      for (int k = 0; k <= more; ++k) {
        cell.row = row + k;
        cell.box.y0 = k == 0 ? whole.y0 : cuts[size_t(k) - 1];
        cell.box.y1 = k == more ? whole.y1 : cuts[size_t(k)];
        cells.push_back(cell);
      }
    }
    table.cells = std::move(cells);
    table.rows += more;
  }
  sort_cells(table.cells);
}

}  // namespace docspec
