#pragma once

#include <algorithm>
#include <cstddef>

namespace docspec {

/// What a pass costs as a function of its rows, relative to a pass of one row, and the number of
/// rows that pays. The built-in shape is that of bf16 linears on a CPU: eight rows for the price of
/// one, sixteen for one and a half (share/doc performance notes). `fixed` (--max-nodes) overrides
/// it.
struct CostCurve {
  double free_rows = 8;
  double per_row = 1.0 / 16;  ///< cost of each row beyond the free ones
  size_t fixed = 0;           ///< rows of a pass over all jobs; 0 = by the curve

  double cost(size_t rows) const { return 1 + per_row * std::max(0.0, double(rows) - free_rows); }

  /// Rows for each of `jobs` trees in one pass, pending tokens included: at least one.
  size_t rows_per_job(size_t jobs) const {
    if (fixed > 0) return std::max<size_t>(1, fixed / jobs);
    constexpr double kAccepted = 0.95;  // assumed chance of one more accepted token of a branch
    size_t best = 1;
    double best_gain = 0, expected = 0, reach = 1;
    for (size_t rows = 1; rows <= 256; ++rows, reach *= kAccepted) {
      expected += reach;
      const double gain = expected / cost(rows * jobs);
      if (gain > best_gain) best = rows, best_gain = gain;
    }
    return best;
  }
};

}  // namespace docspec
