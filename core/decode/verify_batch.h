#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/decode/job.h"
#include "core/decode/verify/verifier.h"
#include "core/ops/ops.h"

namespace docspec {

/// The trees of one pass as packed rows: row r of the tree of job k is row first[k] + r.
struct PackedBatch {
  std::vector<size_t> live;  ///< indices into the jobs
  std::vector<SequenceInput> pass;
  std::vector<VisualAttentionStats> visual_stats;  ///< of the jobs with a fixation
  std::vector<size_t> first;
  std::vector<int32_t> token, parent;
};

/// The distribution of the token after one row of the processed logits, [rows, vocab] f32 on the
/// device. Copies only that row.
Distribution distribution_of(const at::Tensor& logits, size_t row,
                             const SamplingSettings& settings);

/// The first token of a job that samples, after its prompt. logits: [1, vocab].
int32_t first_draw(const Ops& ops, const Job& job, const at::Tensor& logits);

/// Verifies each tree. `rows`: statistics of `logits`, the logits of the pass.
std::vector<Acceptance> verify_batch(const Ops& ops, const Verifier& verifier,
                                     std::span<const Job> jobs, const PackedBatch& packed,
                                     const RowStats& rows, const at::Tensor& logits);

}  // namespace docspec
