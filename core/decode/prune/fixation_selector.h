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
  int64_t gap = 1;       ///< focal layers lie more than this apart
  int64_t warm_up = 10;  ///< accepted rows with full attention, where the model is not calibrated
  bool each = true;      ///< each row of a tree its own choice; else all rows in common
  /// Layers before the first focal one see what an earlier step chose; else the first layer sees
  /// everything and chooses in each step, too (the other convention of algorithms.md 2.4).
  bool inherit = true;
  bool prior = true;    ///< rows of the drafts' boxes are seen, too
  double guard = 0;     ///< FocalSelector::guard
  int64_t least = 512;  ///< jobs with fewer visual rows are left alone: it could not pay
};

/// Number of visual rows, of `visual`, that `keep` stands for: rounded up ([fastocr] 2.3).
int64_t kept_rows(double keep, int64_t visual);

/// Focal layers, ascending: greedily the layers with the largest shares, of equals the first, more
/// than `gap` apart, `focal` of all (rounded down, at least one) ([fastocr] 2.3).
std::vector<size_t> focal_layers(std::span<const double> shares, double focal, int64_t gap);

/// Dynamic visual fixation ([fastocr] 2.3): focal layers see the whole image and choose the rows
/// that the layers below them see; those before the first focal layer see what the deepest one
/// chose for the row that produced the pending token. With trees statistics count accepted rows
/// only.
std::unique_ptr<FocalSelector> make_fixation_selector(const FixationOptions& options,
                                                      const SelectorInput& input);

}  // namespace docspec
