#pragma once

#include <cstdint>

namespace docspec {

/// Settings to sample the token of a row: SamplingSettings of its job, and the number in [0, 1)
/// that decides.
struct RowSampling {
  double temperature = 1, top_p = 1;
  int64_t top_k = 0;  ///< 0 = all
  double uniform = 0;
};

}  // namespace docspec
