#pragma once

#include <cstdint>

namespace docspec {

/// Numbers of one row of logits; see RowStats.
struct CpuRowStats {
  int32_t argmax = 0;  ///< ties to the lowest
  float top = 0, second = 0, logsumexp = 0;
};

/// Of x: [n], n >= 1. Where all are -inf or one is NaN, logsumexp is no number. Two readings of x.
CpuRowStats cpu_row_stats(const float* x, int64_t n);

}  // namespace docspec
