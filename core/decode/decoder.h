#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/task.h"
#include "core/decode/batch_scheduler.h"
#include "core/decode/cost_curve.h"
#include "core/decode/job.h"
#include "core/decode/prune/focal_selector.h"
#include "core/decode/stats.h"
#include "core/decode/verify/verifier.h"
#include "core/model/language_model.h"
#include "core/ops/ops.h"

namespace docspec {

struct DecodeOptions {
  CostCurve cost;         ///< decides the rows of a pass
  size_t max_batch = 64;  ///< jobs in one pass, and (run_stage) alive; the others wait
  /// Returns the next prefilled job, or nullopt if none is ready. Called before each pass that has
  /// a free slot, so that decoding begins with the first job and a slot is taken again at once. If
  /// empty, `jobs` is complete.
  std::function<std::optional<Job>()> next_job;
  ForwardOptions pass;
  std::function<void()> before_pass;  ///< called before each forward; may be empty
  /// Called when the job of this index has ended; other jobs may then be given what it found.
  std::function<void(size_t)> on_end;
};

/// Gives a job its first token. `logits`: [1, vocab] f32 after the last row of the prompt, changed
/// in place by the job's penalties.
void start(Job& job, const Ops& ops, at::Tensor& logits);

/// Decodes all jobs, each started, to their ends: one packed pass per iteration over all jobs that
/// are not done and those of other pages at the table, the pending token of each as row 0. Jobs of
/// next_job are added behind them. `selector` nullptr = every pass sees all visual rows. Each job's
/// output is in the job; gives the counts of all jobs with the milliseconds of "propose",
/// "forward", "verify" and "commit". With an exact verifier the output ids are those of plain
/// decoding whatever the proposers say.
Task<DecodeStats> decode(BatchSlot& slot, const Ops& ops, const Verifier& verifier,
                         FocalSelector* selector, std::vector<Job>& jobs,
                         const DecodeOptions& options);

/// The same of one page alone.
DecodeStats decode(const LanguageModel& lm, const Ops& ops, const Verifier& verifier,
                   FocalSelector* selector, std::vector<Job>& jobs, const DecodeOptions& options);

}  // namespace docspec
