#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/model/language_model.h"

namespace docspec {

/// The facts about a job that a selector may use.
struct SelectorJob {
  int64_t visual = 0;  ///< visual rows
  /// Visual rows from which the next words are read if the drafts of the page are right, given the
  /// output so far; sorted and unique. Empty = no prediction.
  std::function<std::vector<int32_t>(std::span<const int32_t> output)> prior = {};
};

struct SelectorInput {
  int64_t layers = 0;
  /// Mean share of the attention that is on visual rows, per layer, as calibration measured it;
  /// empty = not calibrated.
  std::span<const double> visual_shares = {};
  std::vector<SelectorJob> jobs;
};

/// Chooses the visual rows that a job attends to next. Nothing is evicted: each step may choose
/// others. Without a selector every pass sees all visual rows.
class FocalSelector {
 public:
  virtual ~FocalSelector() = default;
  /// Fixation of `job` for its next pass, given `output` (its last token pending); nullptr = full
  /// attention. Valid until the job's next call.
  virtual const Fixation* fixation(size_t job, std::span<const int32_t> output) = 0;
  /// Called after each pass of a job that had a fixation, after its cache was committed. `rows`:
  /// the kept rows of its tree; the last one produced the bonus token.
  virtual void committed(size_t job, std::span<const int32_t> rows,
                         const VisualAttentionStats& visual_stats) = 0;
  /// A pass is run again with full attention if the logit of an accepted token was less than this
  /// above the runner-up; 0 = never.
  virtual double guard() const { return 0; }
};

}  // namespace docspec
