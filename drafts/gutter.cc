#include "drafts/gutter.h"

#include <algorithm>
#include <vector>

#include "drafts/text_lines.h"

namespace docspec {
namespace {

/// A row of words that is white at the gutter: the words to its sides.
struct WhiteRow {
  int left_x1, right_x0;
  size_t left, right;  ///< how many words
  int widest;          ///< other gap of the row
};

int percentile(std::vector<int> values, double share) {
  const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

template <class F>
int percentile(const std::vector<WhiteRow>& rows, double share, const F& of) {
  std::vector<int> values;
  for (const WhiteRow& row : rows) values.push_back(int(of(row)));
  return percentile(std::move(values), share);
}

/// The rows that are white at x, if they are many beside those that run across.
std::vector<WhiteRow> white_rows(const std::vector<std::vector<Box>>& rows, int x, int em) {
  constexpr size_t kLeastRows = 6;
  std::vector<WhiteRow> white;
  size_t across = 0;
  for (const std::vector<Box>& row : rows) {
    size_t left = 0;
    while (left < row.size() && row[left].x1 <= x) ++left;
    if (left == 0 || left == row.size()) continue;  // one column alone
    const int gap = row[left].x0 - row[left - 1].x1;
    if (row[left].x0 < x || gap < em) {
      ++across;
      continue;
    }
    WhiteRow found{row[left - 1].x1, row[left].x0, left, row.size() - left, 0};
    for (size_t i = 1; i < row.size(); ++i)
      if (i != left) found.widest = std::max(found.widest, row[i].x0 - row[i - 1].x1);
    white.push_back(found);
  }
  if (white.size() < kLeastRows || white.size() < 3 * across) white.clear();
  return white;
}

/// Running text: many words on both sides, few other gaps as wide, and a right column whose lines
/// begin at one place.
std::optional<Gutter> between_prose(const std::vector<WhiteRow>& rows, int em) {
  constexpr int kLeastWords = 3;
  const Gutter gutter{percentile(rows, 0.85, [](const WhiteRow& row) { return row.left_x1; }),
                      percentile(rows, 0.15, [](const WhiteRow& row) { return row.right_x0; })};
  if (gutter.x1 - gutter.x0 < em / 2) return std::nullopt;
  if (percentile(rows, 0.5, [](const WhiteRow& row) { return row.left; }) < kLeastWords ||
      percentile(rows, 0.5, [](const WhiteRow& row) { return row.right; }) < kLeastWords)
    return std::nullopt;
  const int wide = std::max(gutter.x1 - gutter.x0, 3 * em / 2);
  const auto gappy = std::count_if(rows.begin(), rows.end(),
                                   [&](const WhiteRow& row) { return row.widest >= wide; });
  const auto aligned = std::count_if(rows.begin(), rows.end(), [&](const WhiteRow& row) {
    return std::abs(row.right_x0 - gutter.x1) < em;
  });
  if (gappy * 5 > std::ptrdiff_t(rows.size()) * 2 || aligned * 5 < std::ptrdiff_t(rows.size()) * 2)
    return std::nullopt;
  return gutter;
}

}  // namespace

bool Gutter::parts(const Box& left, const Box& right) const {
  const int width = x1 - x0, gap = right.x0 - left.x1;
  return left.x1 <= x0 + width / 2 && right.x0 >= x1 - width / 2 && 3 * gap >= 2 * width;
}

std::optional<Gutter> find_gutter(std::span<const Word> words) {
  constexpr int kStep = 2;  // pixels
  std::vector<Box> boxes;
  std::vector<int> heights;
  Box page;
  for (const Word& word : words)
    if (word.quarter_turns == 0 && !word.box.empty()) {
      boxes.push_back(word.box);
      heights.push_back(word.box.height());
      page = unite(page, word.box);
    }
  if (boxes.empty()) return std::nullopt;
  const int em = std::max(1, percentile(std::move(heights), 0.5));
  std::vector<std::vector<Box>> rows;
  for (const auto& row : group_rows(boxes)) {
    rows.emplace_back();
    for (const int i : row) rows.back().push_back(boxes[size_t(i)]);
  }
  std::vector<WhiteRow> most;
  const int middle = (page.x0 + page.x1) / 2, reach = page.width() / 5;
  for (int x = middle - reach; x <= middle + reach; x += kStep)
    if (auto white = white_rows(rows, x, em); white.size() > most.size()) most = std::move(white);
  return most.empty() ? std::nullopt : between_prose(most, em);
}

}  // namespace docspec
