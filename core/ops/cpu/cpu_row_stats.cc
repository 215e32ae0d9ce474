#include "core/ops/cpu/cpu_row_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/cpu/cpu_vector.h"

namespace docspec {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// Loads lanes of x from `at` on; lanes after n are the lowest number.
template <class V>
DOCSPEC_INLINE void load_some(V& to, const float* x, int64_t at, int64_t n) {
  if (at + kLanesOf<V> <= n) return load(to, x + at);
  float part[kLanesOf<V>];
  std::fill_n(part, kLanesOf<V>, kLowest);
  std::copy(x + at, x + n, part);
  load(to, part);
}

}  // namespace

CpuRowStats cpu_row_stats(const float* x, int64_t n) {
  return for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    using Integers = IntegersOf<V>;
    // Each lane keeps its two best and where its best was first.
    V best = V{} + kLowest, next = best, part;
    Integers where = {};
    for (int64_t i = 0; i < n; i += kLanesOf<V>) {
      load_some(part, x, i, n);
      const Integers better = part > best;
      const V loser = better ? best : part;
      next = loser > next ? loser : next;
      best = better ? part : best;
      where = better ? Integers{} + int32_t(i) : where;
    }
    CpuRowStats out;
    int winner = 0;
    for (int lane = 1; lane < kLanesOf<V>; ++lane)
      if (best[lane] > best[winner] ||
          (best[lane] == best[winner] && where[lane] + lane < where[winner] + winner))
        winner = lane;
    out.top = best[winner];
    out.argmax = where[winner] + winner;
    out.second = next[winner];
    for (int lane = 0; lane < kLanesOf<V>; ++lane)
      if (lane != winner) out.second = std::max(out.second, float(best[lane]));
    V sums = {};
    for (int64_t i = 0; i < n; i += kLanesOf<V>) {
      load_some(part, x, i, n);
      part -= out.top;
      exponential(part);
      sums += part;
    }
    out.logsumexp = out.top + std::log(sum_of(sums));
    return out;
  });
}

}  // namespace docspec
