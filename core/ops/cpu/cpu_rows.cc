#include "core/ops/cpu/cpu_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/ops/cpu/cpu_vector.h"

namespace docspec {
namespace {

/// One vector of cpu_swiglu.
template <class V>
DOCSPEC_INLINE void silu_times(const float* gate, const float* up, float* out) {
  V g, u;
  load(g, gate);
  load(u, up);
  V e = g < 0.0f ? g : -g;
  exponential(e);  // e^-|g|: neither end overflows
  store(out, g * (g < 0.0f ? e : V{} + 1.0f) / (1.0f + e) * u);
}

}  // namespace

void cpu_rms_norm(const float* x, const float* weight, int64_t d, float eps, float* out) {
  for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    V squares = {};
    int64_t i = 0;
    for (; i + kLanesOf<V> <= d; i += kLanesOf<V>) {
      V part;
      load(part, x + i);
      squares += part * part;
    }
    float sum = sum_of(squares);
    for (; i < d; ++i) sum += x[i] * x[i];
    const float scale = 1 / std::sqrt(sum / float(d) + eps);
    for (i = 0; i < d; ++i) out[i] = x[i] * scale * weight[i];
  });
}

void cpu_rotate(const float* x, const float* cos, const float* sin, int64_t heads, int64_t dim,
                float* out) {
  for_each_cpu([=](auto) DOCSPEC_INLINED {
    const int64_t half = dim / 2;
    for (int64_t head = 0; head < heads; ++head) {
      const float* const from = x + head * dim;
      float* const to = out + head * dim;
      for (int64_t i = 0; i < half; ++i) {
        to[i] = from[i] * cos[i] - from[i + half] * sin[i];
        to[i + half] = from[i + half] * cos[i + half] + from[i] * sin[i + half];
      }
    }
  });
}

void cpu_swiglu(const float* gate, const float* up, int64_t n, float* out) {
  for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    int64_t i = 0;
    for (; i + kLanesOf<V> <= n; i += kLanesOf<V>) silu_times<V>(gate + i, up + i, out + i);
    if (i == n) return;
    float part[3][kLanesOf<V>] = {};
    std::copy_n(gate + i, n - i, part[0]);
    std::copy_n(up + i, n - i, part[1]);
    silu_times<V>(part[0], part[1], part[2]);
    std::copy_n(part[2], n - i, out + i);
  });
}

void cpu_widen(const uint16_t* x, int64_t n, float* out) {
  for_each_cpu([=](auto) DOCSPEC_INLINED {
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t bits = uint32_t{x[i]} << 16;
      std::memcpy(out + i, &bits, sizeof bits);
    }
  });
}

void cpu_round(const float* x, int64_t n, uint16_t* out) {
  for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    using Halves = typename VectorOf<uint16_t, sizeof(V) / 2>::Type;
    for (int64_t i = 0; i < n; i += kLanesOf<V>) {
      const int64_t count = std::min(kLanesOf<V>, n - i);
      V part = {};
      std::memcpy(&part, x + i, size_t(count) * sizeof *x);
      round_to_bf16(part);
      IntegersOf<V> bits;
      std::memcpy(&bits, &part, sizeof bits);
      const Halves halves = __builtin_convertvector(bits >> 16, Halves);
      std::memcpy(out + i, &halves, size_t(count) * sizeof *out);
    }
  });
}

}  // namespace docspec
