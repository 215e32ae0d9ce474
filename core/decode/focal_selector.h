#pragma once

#include <cstddef>
#include <span>

#include "core/model/language_model.h"

namespace docspec {

/// Chooses the visual rows that a job attends next. A view: nothing is evicted, each step may
/// choose anew. The policy `off` is no selector at all: every pass sees all visual rows.
class FocalSelector {
 public:
  virtual ~FocalSelector() = default;
  /// Rows for the next pass of job `job`; nullptr = all.
  virtual const Fixation* fixation(size_t job) const = 0;
  /// Called once a pass and job after the cache was committed; `rows` are the kept rows of its
  /// tree.
  virtual void committed(size_t job, std::span<const int32_t> rows) = 0;
};

}  // namespace docspec
