#pragma once

#include <cstdint>

namespace docspec {

/// Numbers of one row of logits; see RowStats.
struct CpuRowStats {
  int32_t argmax = 0;  ///< ties to the lowest
  float top = 0, second = 0, logsumexp = 0;
};

/// Statistics of x[0..n), n >= 1, with a number above -inf and no NaN. Reads x twice.
CpuRowStats cpu_row_stats(const float* x, int64_t n);

}  // namespace docspec
