#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/decode/job.h"
#include "core/decode/verifier.h"
#include "core/ops.h"

namespace docspec {

/// Law of the token after one row of the processed logits, [rows, vocab] f32 on the device; only
/// rows that are asked for are copied.
Law law_of(const at::Tensor& logits, size_t row, const SamplingSettings& settings);

/// The token that a job which samples draws behind its prompt; logits: [1, vocab].
int32_t first_draw(const Ops& ops, const Job& job, const at::Tensor& logits);

/// What the rule takes of the trees of jobs `live`, whose rows are packed in this order. `rows`:
/// statistics of `logits`.
std::vector<Acceptance> judge(const Ops& ops, const Verifier& verifier, std::span<const Job> jobs,
                              std::span<const size_t> live, const RowStats& rows,
                              const at::Tensor& logits);

}  // namespace docspec
