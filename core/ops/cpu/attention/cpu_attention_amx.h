#pragma once

#include <span>

#include "core/ops/cpu/attention/cpu_attention.h"

namespace docspec {

/// Whether attention to far keys can be had in bf16 on tiles (AMX and AVX512-BF16).
bool has_amx_attention();

/// Attention of `top.size()` queries from `first` on to their far keys, those before
/// job.far[row], in bf16 with f32 sums: top[i] the largest score, total[i] the sum of
/// exp(score - top[i]), and job.out the values' sums under these weights. Without far keys: the
/// least float, 0 and zeros. A query's bits follow from its far keys alone. Only where
/// has_amx_attention().
void attend_far(const CpuAttention& job, int64_t first, std::span<float> top,
                std::span<float> total);

}  // namespace docspec
