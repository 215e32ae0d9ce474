#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/decode/acceptance_model.h"

namespace docspec {

/// The parts of one pass's proposals that continue after the tokens which the pass emits. On an
/// asynchronous device they make the next tree at once; the proposers are asked while that tree is
/// verified.
class LookAhead {
 public:
  /// Saves the rest of each branch that begins with all of `emitted`. The tokens are copied, so
  /// they outlive the candidates of the proposers.
  void save(std::span<const Branch> branches, std::span<const int32_t> emitted);
  /// Whether the saved branches are worth a pass: one ends the output, or is long.
  bool worthwhile(const std::function<bool(int32_t)>& is_stop) const;
  /// Returns the saved branches and forgets them; their tokens stay valid until the next `save`.
  std::vector<Branch> take();
  void clear() { branches_.clear(); }

 private:
  std::vector<Branch> branches_;
  std::vector<std::vector<int32_t>> tokens_;  ///< those that the branches refer to
};

}  // namespace docspec
