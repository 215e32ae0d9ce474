#include "drafts/table/rows/row_cuts.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "drafts/lines/bullets.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

std::vector<std::vector<const Word*>> cell_lines(const GridCell& cell,
                                                 std::span<const Word> words) {
  std::vector<const Word*> inside;
  std::vector<Box> boxes;
  for (const Word& word : words)
    if (holds_middle(cell.box, word.box)) {
      inside.push_back(&word);
      boxes.push_back(word.box);
    }
  std::vector<std::vector<const Word*>> lines;
  for (const auto& row : group_rows(boxes)) {
    lines.emplace_back();
    for (int i : row) lines.back().push_back(inside[size_t(i)]);
  }
  return lines;
}

RowCuts cuts_at_numbers(const std::vector<GridCell>& cells, std::span<const Word> words) {
  for (const GridCell& cell : cells) {
    std::vector<Box> numbers;
    int last = 0;
    const bool counts = std::all_of(words.begin(), words.end(), [&](const Word& word) {
      if (!holds_middle(cell.box, word.box)) return true;
      const int number = std::atoi(word.text.c_str());
      if (word.text != std::to_string(number) + "." || (last && number != last + 1)) return false;
      last = number;
      numbers.push_back(word.box);
      return true;
    });
    if (!counts || numbers.size() < 2) continue;
    RowCuts found;
    for (size_t k = 1; k < numbers.size(); ++k)
      found.cuts.push_back(numbers[k].y0 - numbers[k].height() / 8);
    for (const GridCell& other : cells)
      if (other.column < cell.column) found.spanning.insert(other.column);
    if (std::is_sorted(found.cuts.begin(), found.cuts.end())) return found;
  }
  return {};
}

RowCuts cuts_at_whites(const std::vector<GridCell>& cells, std::span<const Word> words) {
  constexpr double kLeastWhite = 0.5, kWider = 1.5;  // of a line's height; times that within a part
  std::vector<Box> inside;
  std::vector<int> column;
  for (const GridCell& cell : cells)
    for (const auto& line : cell_lines(cell, words)) {
      if (is_list_marker(line.front()->text)) return {};
      for (const Word* word : line) inside.push_back(word->box), column.push_back(cell.column);
    }
  RowCuts found;
  std::set<int> filled;
  bool headed = false;
  Box part;
  int widest = 0, narrowest = INT32_MAX;  // within the parts; between them
  for (const auto& line : group_rows(inside)) {
    Box box;
    for (int i : line) box = unite(box, inside[size_t(i)]);
    const int white = box.y0 - part.y1;
    if (!part.empty() && white > kLeastWhite * box.height()) {
      const bool head = found.cuts.empty() && filled == std::set{cells.front().column};
      if (filled.size() < cells.size() && !head) return {};
      headed |= head;
      found.cuts.push_back((part.y1 + box.y0) / 2);
      narrowest = std::min(narrowest, white);
      filled.clear();
    } else if (!part.empty()) {
      widest = std::max(widest, white);
    }
    for (int i : line) filled.insert(column[size_t(i)]);
    part = unite(part, box);
  }
  const bool whole = cells.size() > 1 && filled.size() == cells.size() &&
                     (!headed || found.cuts.size() > 1) &&
                     (found.cuts.empty() || narrowest > kWider * widest);
  return whole ? found : RowCuts();
}

}  // namespace docspec
