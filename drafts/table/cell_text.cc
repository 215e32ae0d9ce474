#include "drafts/table/cell_text.h"

#include <algorithm>

#include "drafts/lines/text_lines.h"

namespace docspec {

bool holds_middle(const Box& box, const Box& of) {
  const int x = (of.x0 + of.x1) / 2, y = (of.y0 + of.y1) / 2;
  return x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
}

std::vector<PhraseRow> phrase_rows(const Box& box, std::span<const Word> words, double em) {
  constexpr double kBulletGapEm = 2;
  std::vector<Box> inside;
  std::vector<bool> bullets;
  for (const Word& word : words)
    if (holds_middle(box, word.box)) {
      inside.push_back(word.box);
      bullets.push_back(word.text == "•");
    }
  std::vector<PhraseRow> rows;
  for (const auto& row : group_rows(inside)) {
    rows.emplace_back();
    bool bullet = false;
    for (int i : row) {
      const Box& word = inside[size_t(i)];
      const double gap = (bullet && !bullets[size_t(i)] ? kBulletGapEm : kPhraseGapEm) * em;
      if (rows.back().empty() || word.x0 - rows.back().back().x1 > gap)
        rows.back().push_back(word);
      else
        rows.back().back() = unite(rows.back().back(), word);
      bullet = bullets[size_t(i)];
    }
  }
  return rows;
}

PhraseRow phrase_columns(const Box& box, std::span<const Word> words, double em) {
  constexpr size_t kMostLines = 3;
  const std::vector<PhraseRow> rows = phrase_rows(box, words, em);
  if (rows.size() > kMostLines) return {};
  PhraseRow all;
  for (const PhraseRow& row : rows) all.insert(all.end(), row.begin(), row.end());
  std::sort(all.begin(), all.end(), [](const Box& a, const Box& b) { return a.x0 < b.x0; });
  PhraseRow columns;
  for (const Box& phrase : all)
    if (columns.empty() || phrase.x0 - columns.back().x1 > kPhraseGapEm * em)
      columns.push_back(phrase);
    else
      columns.back() = unite(columns.back(), phrase);
  return columns;
}

int column_start(const RuledTable& table, int c) {
  for (const GridCell& cell : table.cells)
    if (cell.column == c) return cell.box.x0;
  return -1;
}

void cut_cell(std::vector<GridCell>& out, const GridCell& cell, int c, int x) {
  GridCell left = cell, right = cell;
  left.column_span = c - cell.column;
  left.box.x1 = x;
  right.column = c;
  right.column_span = cell.column_span - left.column_span;
  right.box.x0 = x;
  out.insert(out.end(), {left, right});
}

void sort_cells(std::vector<GridCell>& cells) {
  std::stable_sort(cells.begin(), cells.end(), [](const GridCell& a, const GridCell& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
}

}  // namespace docspec
