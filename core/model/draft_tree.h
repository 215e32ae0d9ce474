#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace docspec {

/// Prefix tree of proposed tokens in topological arrays. Row 0 is the pending token: emitted, but
/// not yet in the cache. parent[i] < i, siblings differ, depth[0] = 0 ([hsd-doc] 3.2).
class DraftTree {
 public:
  explicit DraftTree(int32_t pending_token);

  /// Merges `path` (continuation of the pending token) into the tree, up to `max_rows` rows in all.
  /// `source` is the proposer's index, `score` its belief in the path. Returns the rows of the path
  /// that are in the tree (shorter than `path` where the budget ended).
  std::vector<int32_t> insert(std::span<const int32_t> path, int16_t source, float score,
                              size_t max_rows);

  /// Adds one token below `parent_row`, or merges it with the child that is there. Returns its row,
  /// or -1 where that would make more than `max_rows` rows.
  int32_t add(int32_t parent_row, int32_t token, int16_t source, float score, size_t max_rows);

  /// Keeps the first `rows` rows, row 0 at least.
  void truncate(size_t rows);

  size_t rows() const { return token_.size(); }
  std::span<const int32_t> token() const { return token_; }
  std::span<const int32_t> parent() const { return parent_; }  ///< -1 for row 0
  std::span<const int32_t> depth() const { return depth_; }    ///< 0 for row 0
  std::span<const int16_t> source() const { return source_; }  ///< -1 for row 0
  std::span<const float> score() const { return score_; }
  /// Row of `parent_row`'s child with this token, or -1.
  int32_t child(int32_t parent_row, int32_t token) const;

 private:
  std::vector<int32_t> token_, parent_, depth_, first_child_, next_sibling_;
  std::vector<int16_t> source_;
  std::vector<float> score_;
};

}  // namespace docspec
