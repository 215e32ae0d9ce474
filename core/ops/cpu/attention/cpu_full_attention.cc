#include "core/ops/cpu/attention/cpu_full_attention.h"

#include "core/ops/cpu/cpu_linear_avx.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in GCC 12's own header
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512bf16")
#include "core/ops/cpu/cpu_vector.h"

namespace docspec {
namespace {

/// Keys whose scores with a few rows stay in the first cache.
constexpr int64_t kBlock = 256;
constexpr int kRows = 8;  // of a tile

DOCSPEC_INLINE __m512bh pairs(const uint32_t* from) {
  return __m512bh(_mm512_loadu_si512(from));
}
DOCSPEC_INLINE __m512bh one_pair(const void* from) {
  int pair;
  std::memcpy(&pair, from, sizeof pair);
  return __m512bh(_mm512_set1_epi32(pair));
}

/// scores[r][k] of kRows rows and 16 kTile keys; `half`: of the dimensions.
template <int kTile>
DOCSPEC_INLINE void score_tile(const uint16_t* const* q, const uint32_t* keys, int64_t half,
                               float* scores) {
  __m512 sums[kRows][kTile];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int t = 0; t < kTile; ++t) sums[r][t] = _mm512_setzero_ps();
  for (int64_t d = 0; d < half; ++d) {
    __m512bh k[kTile];
#pragma GCC unroll 4
    for (int t = 0; t < kTile; ++t) k[t] = pairs(keys + (t * half + d) * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const __m512bh x = one_pair(q[r] + 2 * d);
#pragma GCC unroll 4
      for (int t = 0; t < kTile; ++t) sums[r][t] = _mm512_dpbf16_ps(sums[r][t], x, k[t]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int t = 0; t < kTile; ++t) _mm512_storeu_ps(scores + r * kBlock + t * kLanes, sums[r][t]);
}

/// out[r] += weights[r] values of kCount rows, 16 kParts dimensions from `values` on.
template <int kCount, int kParts>
DOCSPEC_INLINE void weigh_tile(const uint32_t* weights, const uint32_t* values, int64_t count,
                               int64_t stride, float* out, int64_t out_row) {
  __m512 sums[kCount][kParts];
#pragma GCC unroll 8
  for (int r = 0; r < kCount; ++r)
#pragma GCC unroll 5
    for (int p = 0; p < kParts; ++p) sums[r][p] = _mm512_loadu_ps(out + r * out_row + p * kLanes);
  for (int64_t k = 0; k < count; ++k) {
    __m512bh v[kParts];
#pragma GCC unroll 5
    for (int p = 0; p < kParts; ++p) v[p] = pairs(values + k * stride + p * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < kCount; ++r) {
      const __m512bh w = one_pair(weights + r * (kBlock / 2) + k);
#pragma GCC unroll 5
      for (int p = 0; p < kParts; ++p) sums[r][p] = _mm512_dpbf16_ps(sums[r][p], w, v[p]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kCount; ++r)
#pragma GCC unroll 5
    for (int p = 0; p < kParts; ++p) _mm512_storeu_ps(out + r * out_row + p * kLanes, sums[r][p]);
}

/// Sums of a tile of rows over the keys up to now.
struct SeenKeys {
  float top[kRows], total[kRows];
  alignas(64) float out[kRows * 128];
};

/// Scores become weights under the rows' largest scores so far; what they had is brought under
/// them.
DOCSPEC_INLINE void to_weights(float* scores, int64_t keys, float scale, int64_t dim,
                               SeenKeys& seen, uint32_t* weights) {
  const int64_t width = round_up(keys, 2 * kLanes);
  for (int r = 0; r < kRows; ++r) {
    float* const own = scores + r * kBlock;
    for (int64_t k = keys; k < width; ++k) own[k] = -std::numeric_limits<float>::infinity();
    __m512 most = _mm512_set1_ps(seen.top[r]);
    for (int64_t k = 0; k < width; k += kLanes) {
      const __m512 x = _mm512_mul_ps(_mm512_loadu_ps(own + k), _mm512_set1_ps(scale));
      _mm512_storeu_ps(own + k, x);
      most = _mm512_max_ps(most, x);
    }
    const float top = _mm512_reduce_max_ps(most);
    const float factor = std::exp(seen.top[r] - top);
    seen.top[r] = top;
    Vector sum = {};
    for (int64_t k = 0; k < width; k += 2 * kLanes) {
      Vector a, b;
      load(a, own + k);
      load(b, own + k + kLanes);
      a -= top;
      b -= top;
      exponential(a);
      exponential(b);
      sum += a;
      sum += b;
      const __m512bh both = _mm512_cvtne2ps_pbh(__m512(b), __m512(a));
      std::memcpy(weights + r * (kBlock / 2) + k / 2, &both, sizeof both);
    }
    seen.total[r] = seen.total[r] * factor + sum_of(sum);
    if (factor != 1)
      for (int64_t d = 0; d < dim; ++d) seen.out[r * dim + d] *= factor;
  }
}

template <int kParts>
DOCSPEC_INLINE void weigh(const uint32_t* weights, const uint32_t* values, int64_t count,
                          int64_t dim, float* out) {
  constexpr int kCount = kRows / 2;
  for (int64_t d = 0; d < dim; d += kParts * kLanes)
    for (int r = 0; r < kRows; r += kCount)
      weigh_tile<kCount, kParts>(weights + r * (kBlock / 2), values + d, count, dim,
                                 out + r * dim + d, dim);
}

/// Rows of a tile, over all keys.
void attend_tile(const FullAttention& head, const PackedHead& packed, int64_t row) {
  const int64_t dim = head.dim, half = dim / 2;
  alignas(64) float scores[kRows * kBlock];
  alignas(64) uint32_t weights[kRows * kBlock / 2];
  SeenKeys seen;
  const uint16_t* q[kRows];
  for (int r = 0; r < kRows; ++r) {  // the last row stands in for missing ones
    q[r] = head.q + std::min(row + r, head.rows - 1) * head.q_row;
    seen.top[r] = -1e30f;
    seen.total[r] = 0;
  }
  std::fill_n(seen.out, kRows * dim, 0.0f);
  const auto scale = float(1 / std::sqrt(double(dim)));
  for (int64_t first = 0; first < head.rows; first += kBlock) {
    const int64_t keys = std::min(kBlock, head.rows - first);
    const int64_t tiles = (keys + kLanes - 1) / kLanes;
    int64_t t = 0;
    for (; t + 3 <= tiles; t += 3)
      score_tile<3>(q, packed.keys.data() + (first / kLanes + t) * half * kLanes, half,
                    scores + t * kLanes);
    for (; t < tiles; ++t)
      score_tile<1>(q, packed.keys.data() + (first / kLanes + t) * half * kLanes, half,
                    scores + t * kLanes);
    to_weights(scores, keys, scale, dim, seen, weights);
    const uint32_t* const values = packed.values.data() + first / 2 * dim;
    if (dim % 64 == 0)
      weigh<4>(weights, values, (keys + 1) / 2, dim, seen.out);
    else
      weigh<5>(weights, values, (keys + 1) / 2, dim, seen.out);
  }
  for (int64_t r = 0; r < std::min<int64_t>(kRows, head.rows - row); ++r)
    for (int64_t d = 0; d < dim; d += kLanes) {
      Vector x;
      load(x, seen.out + r * dim + d);
      x /= seen.total[r];
      const __m256bh halves = _mm512_cvtneps_pbh(__m512(x));
      std::memcpy(head.out + (row + r) * head.out_row + d, &halves, sizeof halves);
    }
}

}  // namespace

bool full_attention_takes(int64_t dim) {
  return has_avx512_bf16() && (dim == 64 || dim == 80 || dim == 128);
}

void pack_head(const FullAttention& head, PackedHead& to) {
  const int64_t dim = head.dim, half = dim / 2, rows = round_up(head.rows, 2 * kLanes);
  to.keys.assign(size_t(rows * half), 0);
  to.values.assign(size_t(rows / 2 * dim), 0);
  for (int64_t row = 0; row < head.rows; ++row) {
    uint32_t* const key = to.keys.data() + row / kLanes * half * kLanes + row % kLanes;
    for (int64_t d = 0; d < half; ++d)
      std::memcpy(key + d * kLanes, head.k + row * head.k_row + 2 * d, sizeof *key);
    auto* const value =
        reinterpret_cast<std::byte*>(to.values.data() + row / 2 * dim) + row % 2 * 2;
    for (int64_t d = 0; d < dim; ++d)
      std::memcpy(value + 4 * d, head.v + row * head.v_row + d, sizeof *head.v);
  }
}

void attend_fully(const FullAttention& head, const PackedHead& packed, int64_t first,
                  int64_t last) {
  for (int64_t row = first; row < last; row += kRows) attend_tile(head, packed, row);
}

}  // namespace docspec
#pragma GCC pop_options
#pragma GCC diagnostic pop
#else
namespace docspec {

bool full_attention_takes(int64_t) {
  return false;
}
void pack_head(const FullAttention&, PackedHead&) {}
void attend_fully(const FullAttention&, const PackedHead&, int64_t, int64_t) {}

}  // namespace docspec
#endif
