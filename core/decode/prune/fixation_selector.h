#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/decode/prune/focal_selector.h"

namespace docspec {

/// Settings of `fixation` ([fastocr] 2.2).
struct FixationOptions {
  double keep = 0.05;    ///< share of the visual rows that a focal layer keeps
  double focal = 0.1;    ///< share of the layers that are focal, at least one layer
  int64_t gap = 1;       ///< focal layers are more than this apart
  int64_t warm_up = 10;  ///< accepted rows with full attention, where the model is not calibrated
  bool each = true;      ///< each row of a tree has its own choice; else all share one
  /// True: layers before the first focal one see what an earlier step chose. False: the first layer
  /// sees everything and also chooses in each step (the other convention of algorithms.md 2.4).
  bool inherit = true;
  bool prior = true;    ///< the visual rows of the drafts' boxes are seen, too
  double guard = 0;     ///< FocalSelector::guard
  int64_t least = 512;  ///< jobs with fewer visual rows keep full attention: it would not pay
};

/// Number of rows that are kept of `visual` visual rows: keep * visual, rounded up ([fastocr] 2.3).
int64_t kept_rows(double keep, int64_t visual);

/// Focal layers, ascending: greedily the layers with the largest shares (the first of equal ones)
/// that are more than `gap` apart. Their number is `focal` of all layers, rounded down, and at
/// least one ([fastocr] 2.3).
std::vector<size_t> focal_layers(std::span<const double> shares, double focal, int64_t gap);

/// Dynamic visual fixation ([fastocr] 2.3). Focal layers see the whole image and choose the rows
/// that the layers after them see. Layers before the first focal one see the rows that the deepest
/// focal layer chose for the row of the pending token. In trees, only accepted rows count for
/// statistics.
std::unique_ptr<FocalSelector> make_fixation_selector(const FixationOptions& options,
                                                      const SelectorInput& input);

}  // namespace docspec
