#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/model/language_model.h"

namespace docspec {

/// What a selector may know of a job.
struct SelectorJob {
  int64_t visual = 0;  ///< visual rows
  /// Visual rows from which the next words are read if the page's drafts are right, sorted and
  /// unique, given the output so far; empty = nobody knows.
  std::function<std::vector<int32_t>(std::span<const int32_t> output)> prior = {};
};

struct SelectorInput {
  int64_t layers = 0;
  /// Mean share of attention that lies on visual rows, per layer, as calibration found it; empty =
  /// not calibrated.
  std::span<const double> visual_shares = {};
  std::vector<SelectorJob> jobs;
};

/// Chooses the visual rows that a job attends next. A view: nothing is evicted, each step may
/// choose anew. The policy `off` is no selector at all: every pass sees all visual rows.
class FocalSelector {
 public:
  virtual ~FocalSelector() = default;
  /// Fixation of `job` for its next pass, given `output` (its last token pending); nullptr = full
  /// attention. Valid until the job's next call.
  virtual const Fixation* fixation(size_t job, std::span<const int32_t> output) = 0;
  /// Called after a pass of a job that had a fixation, when the cache was committed. `rows`: the
  /// kept rows of its tree; the last one produced the bonus token.
  virtual void committed(size_t job, std::span<const int32_t> rows,
                         const VisualAttentionStats& visual_stats) = 0;
  /// A pass in which an accepted token was less than this (logit) ahead of the runner-up is run
  /// again with full attention; 0 = none is.
  virtual double guard() const { return 0; }
};

}  // namespace docspec
