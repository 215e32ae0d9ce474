#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace docspec {

/// A position in a draft: `offset` is the token that would come next.
struct DraftPlace {
  uint32_t draft = 0;
  uint32_t offset = 0;
};

/// Finds where each n-gram of some sequences ends: O(tokens) to add, O(hits) to find.
class NgramIndex {
 public:
  explicit NgramIndex(size_t n) : n_(n) {}

  size_t n() const { return n_; }
  void add(uint32_t draft, std::span<const int32_t> ids);
  /// Appends the positions after `window` (n tokens). Positions of other windows with the same
  /// 64-bit hash may be among them: fit for proposals, not for conclusions.
  void find(std::span<const int32_t> window, std::vector<DraftPlace>& out) const;

 private:
  size_t n_;
  std::unordered_map<uint64_t, std::vector<DraftPlace>> places_;
};

}  // namespace docspec
