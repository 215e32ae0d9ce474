#include "drafts/grid/column_rows.h"

#include <algorithm>
#include <utility>

#include "drafts/grid/cell_text.h"
#include "drafts/lines/leaders.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

std::vector<WordRow> word_rows(std::span<const Word> words) {
  std::vector<const Word*> upright;
  std::vector<Box> boxes;
  for (const Word& word : words)
    if (word.quarter_turns == 0 && !is_dots(word.text)) {
      upright.push_back(&word);
      boxes.push_back(word.box);
    }
  std::vector<WordRow> rows;
  for (const auto& row : group_rows(boxes)) {
    rows.emplace_back();
    for (int i : row) {
      rows.back().words.push_back(upright[size_t(i)]);
      rows.back().box = unite(rows.back().box, boxes[size_t(i)]);
    }
  }
  return rows;
}

size_t ColumnRow::values() const {
  return size_t(
      std::count_if(cells.begin(), cells.end(), [](const auto& cell) { return !cell.empty(); }));
}

ColumnSpans::ColumnSpans(std::vector<Box> columns, double em_px)
    : columns_(std::move(columns)), em_px_(em_px) {
  for (size_t c = 1; c < columns_.size(); ++c)
    middles_.push_back((columns_[c - 1].x1 + columns_[c].x0) / 2);
}

Box ColumnSpans::box() const {
  Box all;
  for (const Box& column : columns_) all = unite(all, column);
  return all;
}

int ColumnSpans::at(int x) const {
  if (x < columns_.front().x0 - em_px_) return -1;
  if (x > columns_.back().x1 + em_px_) return int(size());
  return int(std::upper_bound(middles_.begin(), middles_.end(), x) - middles_.begin());
}

ColumnRow ColumnSpans::read(const WordRow& row) const {
  constexpr int kOver = 2;           // pixels
  constexpr double kLabelGap = 1.5;  // em: further left stands something else
  ColumnRow out;
  out.cells.resize(size());
  const auto take_in = [&](const Box& box) {
    out.y0 = std::min(out.y0, box.y0);
    out.y1 = std::max(out.y1, box.y1);
  };
  for (auto word = row.words.rbegin(); word != row.words.rend(); ++word) {
    const Box& box = (*word)->box;
    const int c = at((box.x0 + box.x1) / 2);
    if (c == int(size())) continue;
    if (c < 0) {
      if (out.has_label() && out.label - box.x1 > kLabelGap * em_px_) break;
      if (box.x1 > columns_.front().x1) out.crossed = true;
      out.label = box.x0;
      out.first = *word;
      take_in(box);
      continue;
    }
    out.crossed |= std::any_of(middles_.begin(), middles_.end(),
                               [&](int x) { return box.x0 < x - kOver && box.x1 > x + kOver; });
    auto& cell = out.cells[size_t(c)];
    cell.insert(cell.begin(), *word);
    take_in(box);
  }
  // A phrase that goes on from one column into the next.
  for (size_t c = 1; c < size(); ++c)
    if (!out.cells[c - 1].empty() && !out.cells[c].empty())
      out.crossed |=
          out.cells[c].front()->box.x0 - out.cells[c - 1].back()->box.x1 < kPhraseGapEm * em_px_;
  return out;
}

}  // namespace docspec
