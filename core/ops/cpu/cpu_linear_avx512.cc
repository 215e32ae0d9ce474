#include "core/ops/cpu/cpu_linear_avx512.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vnni,avx512bf16")
#include "core/ops/cpu/cpu_linear_tile.h"

namespace docspec {
namespace {

/// Processes 64 bytes of weights and of a row per step.
template <class W, class R>
struct Lines {
  static constexpr int64_t kStep = 64 / sizeof(W);
  using Weight = W;
  using Row = R;
  using Weights = __m512i;
  using Values = __m512i;
  DOCSPEC_INLINE static void load(Weights& to, const Weight* from) {
    to = _mm512_loadu_si512(from);
  }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) {
    to = _mm512_loadu_si512(from);
  }
};

struct QuadruplesOfInt8 : Lines<int8_t, uint8_t> {
  static constexpr int64_t kMostOfPart = int64_t{1} << 40;
  using Sum = Integers;
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    sum = Integers(_mm512_dpbusd_epi32(__m512i(sum), x, w));
  }
};

struct DotPairsOfBf16 : Lines<uint16_t, uint16_t> {
  static constexpr int64_t kMostOfPart = 1536;
  using Sum = Vector;
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    sum = Vector(_mm512_dpbf16_ps(__m512(sum), __m512bh(x), __m512bh(w)));
  }
};

}  // namespace

void linear_avx512_bf16(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row) {
  share<DotPairsOfBf16>(x, weights, first, last, out, out_row);
}
void linear_avx512_vnni(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row) {
  share<QuadruplesOfInt8>(x, weights, first, last, out, out_row);
}

}  // namespace docspec
#pragma GCC pop_options

namespace docspec {

bool has_avx512_vnni() {
  return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw");
}
bool has_avx512_bf16() {
  return __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw");
}

}  // namespace docspec
#else
namespace docspec {

bool has_avx512_vnni() {
  return false;
}
void linear_avx512_vnni(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*,
                        int64_t) {}
bool has_avx512_bf16() {
  return false;
}
void linear_avx512_bf16(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*,
                        int64_t) {}

}  // namespace docspec
#endif
