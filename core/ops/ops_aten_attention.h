#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>

#include "core/ops/attention_weights.h"
#include "core/ops/ops.h"

namespace docspec {

/// Ops::plan and Ops::attention in ATen, for tensors of any device (ops.h says what they promise).
std::unique_ptr<AttentionPlan> aten_attention_plan(std::span<const AttentionRows> jobs,
                                                   int64_t row_multiple, const at::Device& device);
/// `plan` is one of aten_attention_plan.
at::Tensor aten_attention(const at::Tensor& q, std::span<const CacheRows> caches,
                          const AttentionPlan& plan, AttentionWeights* attention_weights);

}  // namespace docspec
