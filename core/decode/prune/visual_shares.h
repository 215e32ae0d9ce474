#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/decode/prune/focal_selector.h"

namespace docspec {

/// Mean share of attention that lies on visual rows, per layer, over decoded rows ([fastocr] 2.3:
/// the mean of r).
class VisualShares {
 public:
  /// Adds kept rows of a pass whose layers all looked.
  void add(std::span<const int32_t> rows, const VisualAttentionStats& visual_stats);
  int64_t rows() const { return rows_; }
  std::vector<double> mean() const;

 private:
  std::vector<double> sums_;  // of each layer
  int64_t rows_ = 0;
};

/// The weights of one row of the tree in a layer that looked.
std::span<const float> looked_at(const VisualAttentionStats& visual_stats, size_t layer,
                                 int32_t row);

/// Sees everything and measures `shares`, which must outlive it: `docspec model calibrate`.
std::unique_ptr<FocalSelector> make_share_meter(VisualShares& shares, const SelectorInput& input);

}  // namespace docspec
