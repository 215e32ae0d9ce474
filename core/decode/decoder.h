#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/task.h"
#include "core/decode/batch_scheduler.h"
#include "core/decode/cost_curve.h"
#include "core/decode/job.h"
#include "core/decode/prune/focal_selector.h"
#include "core/decode/verify/verifier.h"
#include "core/document/decode_stats.h"
#include "core/model/language_model.h"
#include "core/ops/ops.h"

namespace docspec {

struct DecodeOptions {
  CostCurve cost;         ///< decides how many rows a pass has
  size_t max_batch = 64;  ///< most jobs of one forward
  /// Returns the next started job (prefilled, with its first token), or nullopt if none is ready.
  /// Called before each pass that has room for one more job, so that a place is taken again at
  /// once. If empty, `jobs` is complete.
  std::function<std::optional<Job>()> next_job;
  /// Most jobs that join before one pass: with 1 decoding begins with the first job, and the others
  /// wait while one more is prefilled; with more there are fewer passes.
  size_t max_joining = 1;
  ForwardOptions pass;  ///< of each forward
  /// Called before an image is encoded and before each pass but one that is repeated with full
  /// attention; may be empty.
  std::function<void()> before_pass;
  /// Called with the number of tokens that a pass added to the outputs; may be empty.
  std::function<void(size_t)> on_tokens;
  /// Called after a pass for each of its jobs that has ended, by its index; not for jobs that ended
  /// before the pass. It may give other jobs a new draft.
  std::function<void(size_t)> on_end;
};

/// Samples the first token of a job. `logits`: [1, vocab] f32 after the last row of the prompt; the
/// penalties of the job change them in place.
void start(Job& job, const Ops& ops, at::Tensor& logits);

/// Decodes all started jobs to their ends. Each iteration runs one batched pass over the jobs that
/// are not done (and those of other pages in the scheduler), with the pending token of each as row
/// 0. Jobs of next_job are appended to `jobs`. Without a `selector` every pass sees all visual
/// rows. The outputs are in the jobs. Returns the counts of all jobs with the milliseconds of
/// "propose", "propose concurrently", "forward", "verify" and "commit". With an exact verifier the
/// output ids are those of plain decoding, whatever is proposed.
Task<DecodeStats> decode(BatchSlot& slot, const Ops& ops, const Verifier& verifier,
                         FocalSelector* selector, std::vector<Job>& jobs,
                         const DecodeOptions& options);

/// The same for one page alone.
DecodeStats decode(const LanguageModel& lm, const Ops& ops, const Verifier& verifier,
                   FocalSelector* selector, std::vector<Job>& jobs, const DecodeOptions& options);

}  // namespace docspec
