#include "drafts/grid/tall_cells.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "drafts/grid/cell_text.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

/// Where each row begins, and where the last one ends.
std::vector<int> row_starts(const RuledTable& table) {
  std::vector<int> starts(size_t(table.rows) + 1, table.box.y1);
  for (const GridCell& cell : table.cells) starts[size_t(cell.row)] = cell.box.y0;
  return starts;
}

/// One line of text and its words.
struct LineOfWords {
  Box box;
  std::vector<Box> words;
};

/// Lines of text in cells of the same rows.
std::vector<LineOfWords> lines_in(const RuledTable& table, const std::vector<size_t>& cells,
                                  std::span<const Word> words) {
  std::vector<Box> inside;
  std::vector<LineOfWords> lines;
  for (size_t i : cells)
    for (const Box& box : words_in(table.cells[i].box, words)) inside.push_back(box);
  for (const auto& row : group_rows(inside)) {
    lines.emplace_back();
    for (int i : row) {
      lines.back().box = unite(lines.back().box, inside[size_t(i)]);
      lines.back().words.push_back(inside[size_t(i)]);
    }
  }
  return lines;
}

bool in_line(const Box& word, const LineOfWords& line) {
  constexpr double kFeet = 0.35;  // of the height: how far one may stand below the other
  constexpr double kAlike = 1.25;
  return row_overlap(word, line.box) >= 0.6 &&
         std::any_of(line.words.begin(), line.words.end(), [&](const Box& other) {
           const auto [low, high] = std::minmax({word.height(), other.height()});
           return high < kAlike * low || std::abs(word.y1 - other.y1) <= kFeet * low;
         });
}

/// The words of a cell above the first white in it: a field's value stands below its label.
std::vector<Box> first_words_in(const Box& cell, std::span<const Word> words) {
  constexpr double kFar = 1.45;  // from line to line, of the height of one
  const std::vector<Box> inside = words_in(cell, words);
  std::vector<Box> first;
  Box above;
  for (const auto& row : group_rows(inside)) {
    Box line;
    for (int i : row) line = unite(line, inside[size_t(i)]);
    if (!above.empty() && line.y1 - above.y1 > kFar * above.height()) break;
    for (int i : row) first.push_back(inside[size_t(i)]);
    above = line;
  }
  return first;
}

/// Whether nearly all rows beside the cells that have text have a line of the cells in line with
/// it, and most of those lines have such a row.
bool belong_to_rows(const RuledTable& table, int row, int end,
                    const std::vector<LineOfWords>& lines, std::span<const Word> words) {
  constexpr size_t kLeastRows = 3;
  std::set<int> labelled, matched;
  std::vector<bool> met(lines.size(), false);
  for (const GridCell& cell : table.cells) {
    if (cell.row_span > 1 || cell.row < row || cell.row >= end) continue;
    for (const Box& word : first_words_in(cell.box, words)) {
      labelled.insert(cell.row);
      for (size_t i = 0; i < lines.size(); ++i)
        if (in_line(word, lines[i])) matched.insert(cell.row), met[i] = true;
    }
  }
  const size_t lines_met = size_t(std::count(met.begin(), met.end(), true));
  return labelled.size() >= kLeastRows && matched.size() * 10 >= labelled.size() * 9 &&
         lines_met * 2 >= lines.size();
}

/// Rows between `row` and `end` that begin with a line of their own; no line runs across them.
std::vector<int> own_rows(const std::vector<int>& starts, int row, int end,
                          const std::vector<LineOfWords>& lines) {
  std::vector<int> cuts;
  for (int r = row + 1; r < end; ++r) {
    const int y = starts[size_t(r)], below = starts[size_t(r) + 1];
    const bool crossed = std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
      return std::min(y - line.box.y0, line.box.y1 - y) * 4 > line.box.height();
    });
    const bool own = std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
      const int middle = (line.box.y0 + line.box.y1) / 2;
      return middle >= y && middle < below;
    });
    if (!crossed && own) cuts.push_back(r);
  }
  return cuts;
}

/// Of cells of the same rows those that have a line in each row, where others have fewer lines,
/// which are labels of all the rows; else all of them.
std::vector<size_t> without_labels(const RuledTable& table, const std::vector<size_t>& cells,
                                   const std::vector<int>& starts, std::span<const Word> words) {
  std::vector<size_t> full;
  for (size_t i : cells) {
    const GridCell& cell = table.cells[i];
    const auto lines = lines_in(table, {i}, words);
    const size_t cuts = own_rows(starts, cell.row, cell.row + cell.row_span, lines).size();
    if (int(lines.size()) == cell.row_span && int(cuts) + 1 == cell.row_span) full.push_back(i);
  }
  return full.empty() ? cells : full;
}

}  // namespace

void split_tall_cells(RuledTable& table, std::span<const Word> words) {
  constexpr int kTall = 3;  // rows
  const std::vector<int> starts = row_starts(table);
  std::map<std::pair<int, int>, std::vector<size_t>> tall;  // by first row and the one after
  for (size_t i = 0; i < table.cells.size(); ++i)
    if (const GridCell& cell = table.cells[i]; cell.row_span >= kTall)
      tall[{cell.row, cell.row + cell.row_span}].push_back(i);
  std::vector<GridCell> more;
  for (const auto& [rows, group] : tall) {
    const auto [row, end] = rows;
    const std::vector<size_t> cells = without_labels(table, group, starts, words);
    const std::vector<LineOfWords> lines = lines_in(table, cells, words);
    if (!belong_to_rows(table, row, end, lines, words)) continue;
    for (int cut : own_rows(starts, row, end, lines))
      for (size_t i : cells) {
        GridCell above = table.cells[i];
        GridCell& below = table.cells[i];
        above.row_span = cut - above.row;
        below.row_span -= above.row_span;
        below.row = cut;
        above.box.y1 = below.box.y0 = starts[size_t(cut)];
        more.push_back(above);
      }
  }
  table.cells.insert(table.cells.end(), more.begin(), more.end());
  sort_cells(table.cells);
}

}  // namespace docspec
