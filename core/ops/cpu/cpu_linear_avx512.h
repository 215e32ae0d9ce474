#pragma once

#include "core/ops/cpu/cpu_linear.h"

namespace docspec {

/// Whether this processor multiplies quadruples of int8 (AVX512-VNNI) and this build has the
/// kernel.
bool has_avx512_vnni();

/// Products of int8 with those instructions; only where the processor has them. The integers, and
/// so the outputs, are those of the portable kernel.
void linear_avx512_vnni(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row);

/// Likewise for pairs of bf16 (AVX512-BF16).
bool has_avx512_bf16();
void linear_avx512_bf16(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row);

}  // namespace docspec
