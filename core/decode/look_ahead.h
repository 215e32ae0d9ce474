#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/decode/acceptance_model.h"

namespace docspec {

/// What the proposals of one pass say beyond the tokens that the pass emits. On an asynchronous
/// device it makes the next tree at once, and the proposers are asked while that tree is verified.
class LookAhead {
 public:
  /// Keeps the rest of each branch that foresaw all of `emitted`. The tokens are copied: they
  /// outlive the proposers' candidates.
  void save(std::span<const Branch> branches, std::span<const int32_t> emitted);
  /// Whether what was kept is worth a pass: a branch that ends the output, or one that is long.
  bool worthwhile(const std::function<bool(int32_t)>& is_stop) const;
  /// Gives the branches away; their tokens live until the next `save`.
  std::vector<Branch> take();
  void clear() { branches_.clear(); }

 private:
  std::vector<Branch> branches_;
  std::vector<std::vector<int32_t>> tokens_;  ///< those that the branches refer to
};

}  // namespace docspec
