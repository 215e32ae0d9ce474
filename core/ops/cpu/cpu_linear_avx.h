#pragma once

#include "core/ops/cpu/cpu_linear.h"

namespace docspec {

// Kernels of x86-64, each only where `has_...` says so: the processor has the instructions,
// instruction_set() allows them and this build has the kernel. The integers of int8 and int4, and
// so the outputs, are those of the portable kernel.

/// AVX2 and FMA, for each type of weights. Rows of int8 are packed without an offset.
bool has_avx2();
void linear_avx2_f32(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                     float* out, int64_t out_row);
void linear_avx2_bf16(const LinearRows& x, const LinearWeights& weights, int64_t first,
                      int64_t last, float* out, int64_t out_row);
void linear_avx2_int8(const LinearRows& x, const LinearWeights& weights, int64_t first,
                      int64_t last, float* out, int64_t out_row);
void linear_avx2_int4(const LinearRows& x, const LinearWeights& weights, int64_t first,
                      int64_t last, float* out, int64_t out_row);

/// Quadruples of int8 (AVX512-VNNI).
bool has_avx512_vnni();
void linear_avx512_vnni(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row);
void linear_avx512_int4(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row);
/// Int4 by AMX's kernel of int8; where has_avx512_vnni() and has_amx_int8().
void linear_amx_int4(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                     float* out, int64_t out_row);

/// Pairs of bf16 (AVX512-BF16).
bool has_avx512_bf16();
void linear_avx512_bf16(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row);

}  // namespace docspec
