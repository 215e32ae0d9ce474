#pragma once

#include "core/ops/cpu/cpu_linear.h"

namespace docspec {

/// Whether this processor multiplies tiles of bf16 or int8 (AMX), the system lets this process use
/// them, and this build has the kernel.
bool has_amx_bf16();
bool has_amx_int8();

/// Products with those instructions, rows woven by weave_rows; only where the processor has them.
/// The integers, and so int8's outputs, are those of the portable kernel.
void linear_amx_bf16(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                     float* out, int64_t out_row);
void linear_amx_int8(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                     float* out, int64_t out_row);

/// `n` lines of this thread, used again by each caller; what stands in them is left.
LinearRows::Line* spare_lines(int64_t n);

/// `count` rows of `stride` lines -> for each line its 16 words of 4 bytes, and of each word those
/// of `width` rows side by side; rows that are missing are zero.
void weave_rows(const LinearRows::Line* rows, int64_t count, int64_t width, int64_t stride,
                LinearRows::Line* to);

}  // namespace docspec
