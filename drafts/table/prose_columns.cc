#include "drafts/table/prose_columns.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace docspec {
namespace {

/// The lines of one column, from the top, and how many of them continue the one above.
struct ColumnText {
  size_t lines = 0, words = 0, continued = 0;

  bool wordy() const {
    constexpr double kLeastWords = 3.2;
    return lines > 2 && double(words) >= kLeastWords * double(lines);
  }
};

}  // namespace

bool is_prose(const TableGrid& grid, std::span<const Word> words) {
  std::vector<ColumnText> columns(size_t(grid.columns));
  for (const CellLines& cell : grid.cells) {
    ColumnText& column = columns[size_t(cell.column)];
    for (const std::vector<int>& line : cell.lines) {
      if (line.empty()) continue;
      const bool small = std::islower(uint8_t(words[size_t(line.front())].text[0])) != 0;
      column.continued += small && column.lines > 0;
      column.words += line.size();
      ++column.lines;
    }
  }
  constexpr double kLeastContinued = 0.4;
  // Two text columns of so many lines are no table, whatever stands beside them.
  constexpr size_t kLong = 12;
  size_t lines = 0, continued = 0, words_of_text = 0, all_words = 0, wordy = 0, longest = kLong;
  for (const ColumnText& column : columns) {
    all_words += column.words;
    if (!column.wordy()) continue;
    ++wordy;
    lines += column.lines - 1;
    continued += column.continued;
    words_of_text += column.words;
    longest = std::min(longest, column.lines);
  }
  const bool continues = lines > 0 && double(continued) >= kLeastContinued * double(lines);
  return continues && (wordy == columns.size() ||
                       (wordy > 1 && longest >= kLong && words_of_text * 10 >= all_words * 6));
}

}  // namespace docspec
