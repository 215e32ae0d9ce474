#include "core/model/draft_tree.h"

#include <algorithm>

namespace docspec {

DraftTree::DraftTree(int32_t pending_token)
    : token_{pending_token},
      parent_{-1},
      depth_{0},
      first_child_{-1},
      next_sibling_{-1},
      source_{-1},
      score_{0} {}

int32_t DraftTree::child(int32_t parent_row, int32_t token) const {
  for (int32_t row = first_child_[parent_row]; row >= 0; row = next_sibling_[row])
    if (token_[row] == token) return row;
  return -1;
}

int32_t DraftTree::add(int32_t parent_row, int32_t token, int16_t source, float score,
                       size_t max_rows) {
  if (const int32_t row = child(parent_row, token); row >= 0) {
    score_[row] = std::max(score_[row], score);
    return row;
  }
  if (rows() >= max_rows) return -1;
  const auto row = int32_t(rows());
  token_.push_back(token);
  parent_.push_back(parent_row);
  depth_.push_back(depth_[parent_row] + 1);
  next_sibling_.push_back(first_child_[parent_row]);
  first_child_[parent_row] = row;
  first_child_.push_back(-1);
  source_.push_back(source);
  score_.push_back(score);
  return row;
}

void DraftTree::truncate(size_t rows) {
  rows = std::max<size_t>(rows, 1);
  for (size_t row = token_.size(); row-- > rows;)  // a later child stands first in its list
    first_child_[size_t(parent_[row])] = next_sibling_[row];
  if (rows >= token_.size()) return;
  for (auto* column : {&token_, &parent_, &depth_, &first_child_, &next_sibling_})
    column->resize(rows);
  source_.resize(rows);
  score_.resize(rows);
}

std::vector<int32_t> DraftTree::insert(std::span<const int32_t> path, int16_t source, float score,
                                       size_t max_rows) {
  std::vector<int32_t> inserted;
  int32_t at = 0;
  for (const int32_t token : path) {
    at = add(at, token, source, score, max_rows);
    if (at < 0) break;
    inserted.push_back(at);
  }
  return inserted;
}

}  // namespace docspec
