// Where OCR's own lines show columns: the part of gutter.h for it.
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "drafts/lines/gutter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

std::vector<Box> column_edges(std::span<const Word> words) {
  constexpr double kWide = 6, kWidest = 2, kAside = 0.8, kPitch = 4;  // heights of a line
  constexpr size_t kLeastRows = 6;
  std::map<int, Box> found;
  for (const Word& word : words)
    if (word.line > 0 && word.quarter_turns == 0) {
      Box& box = found[word.line];
      box = unite(box, word.box);
    }
  std::vector<Box> lines;
  for (const auto& [number, box] : found)
    if (box.width() > kWide * box.height()) lines.push_back(box);
  std::vector<Box> edges;
  for (const Box& left : lines) {
    const Box* next = nullptr;
    for (const Box& right : lines)
      if (right.x0 + right.x1 > left.x0 + left.x1 && right.x0 > left.x1 - left.height() / 2 &&
          row_overlap(left, right) > 0.5 && (!next || right.x0 < next->x0))
        next = &right;
    if (!next || next->x0 - left.x1 > kWidest * left.height()) continue;
    const int x = (left.x1 + next->x0) / 2;
    edges.push_back({x, std::max(left.y0, next->y0), x + 1, std::min(left.y1, next->y1)});
  }
  std::sort(edges.begin(), edges.end(), [](const Box& a, const Box& b) { return a.y0 < b.y0; });
  std::vector<std::vector<Box>> columns;
  for (const Box& edge : edges) {
    const auto home = std::find_if(columns.begin(), columns.end(), [&](const auto& column) {
      const Box& last = column.back();
      return std::abs(last.x0 - edge.x0) < kAside * edge.height() &&
             edge.y0 - last.y1 < kPitch * edge.height();
    });
    if (home == columns.end())
      columns.push_back({edge});
    else
      home->push_back(edge);
  }
  std::vector<Box> out;
  for (const std::vector<Box>& column : columns)
    if (column.size() >= kLeastRows) out.insert(out.end(), column.begin(), column.end());
  return out;
}

}  // namespace docspec
