#include "core/ops/cpu/attention/cpu_attention_amx.h"

#include "core/ops/cpu/cpu_linear_amx.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <limits>

// GCC 12 takes the undefined vectors of its own intrinsics for ours (its bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512bf16,amx-tile,amx-bf16")
#include "core/ops/cpu/cpu_amx_tile.h"

namespace docspec {
namespace {

// Keys lie as rows of bf16 on the left of scores = keys x queries; values lie transposed on the
// left of sums = values x weights. So a query is one lane of all vectors between the two products,
// and weights become the right side of the second product as they come out of the first.
constexpr int64_t kKeys = 256;           // worked on together: scores stay in the first cache
constexpr int64_t kQueries = 2 * kTile;  // likewise: two tiles of queries
constexpr int64_t kWords = kLine / 2;    // of bf16 in a line
constexpr float kLeast = std::numeric_limits<float>::lowest();
constexpr float kHidden = -std::numeric_limits<float>::infinity();

using Line = LinearRows::Line;
static_assert(sizeof(Tile) == kTile * sizeof(Line));

/// 16 floats as bf16, each in the low half of its lane.
DOCSPEC_INLINE __m512i rounded(const float* from) {
  return _mm512_cvtepu16_epi32(__m256i(_mm512_cvtneps_pbh(_mm512_loadu_ps(from))));
}

/// Pairs of bf16: a's in the low halves, b's in the high ones.
DOCSPEC_INLINE void pair_up(__m512i a, __m512i b, Integers& pairs) {
  pairs = Integers(_mm512_or_si512(a, _mm512_slli_epi32(b, 16)));
}

/// `dim` floats -> one line of bf16 for each 32 of them, padded with zeros.
DOCSPEC_INLINE void round_row(const float* from, int64_t dim, Line* to) {
  for (int64_t d = 0; d < dim; d += kWords) {
    const __m256i zero = _mm256_setzero_si256();
    const auto low = __m256i(_mm512_cvtneps_pbh(_mm512_loadu_ps(from + d)));
    const auto high =
        d + kLanes < dim ? __m256i(_mm512_cvtneps_pbh(_mm512_loadu_ps(from + d + kLanes))) : zero;
    store(to++, _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
  }
}

/// The queries and, block by block, the keys and values of one call.
struct Far {
  const CpuAttention& job;
  int64_t first, count;
  std::span<float> top, total;

  int64_t lines = (job.dim + kWords - 1) / kWords;  // of a key: 32 dimensions each
  int64_t pairs = (count + kQueries - 1) / kQueries;
  Line *keys, *values, *queries, *weights;
  float *scores, *sums;

  Far(const CpuAttention& job, int64_t first, std::span<float> top, std::span<float> total)
      : job(job), first(first), count(int64_t(top.size())), top(top), total(total) {
    const int64_t block = kKeys * lines, of_queries = pairs * kQueries * lines;
    const int64_t of_scores = kKeys * kQueries / kLanes;
    keys = spare_lines(2 * block + 3 * of_queries + of_scores + of_scores / 2);
    values = keys + block;
    queries = values + block;
    weights = queries + of_queries;
    scores = reinterpret_cast<float*>(weights + of_scores / 2);
    sums = scores + kKeys * kQueries;
  }

  int64_t far_of(int64_t i) const { return i < count ? job.far[(first + i) / job.group] : 0; }

  void take_queries() const {
    for (int64_t tile = 0; tile < 2 * pairs; ++tile)
      for (int64_t line = 0; line < lines; ++line) {
        Tile x{};
        const int64_t rest = job.dim - line * kWords;
        for (int64_t i = 0; i < kTile && tile * kTile + i < count; ++i) {
          Line row{};
          round_row(job.q + job.place(first + tile * kTile + i) + line * kWords,
                    std::min(kWords, rest), &row);
          load(x[size_t(i)], &row);
        }
        transpose(x);
        store(queries + (tile * lines + line) * kTile, x);
      }
  }

  /// Keys [begin, end) as rows; their values as tiles of 16 dimensions by 32 keys.
  void take_keys(int64_t begin, int64_t end) const {
    for (int64_t k = begin; k < end; ++k)
      round_row(job.keys + job.slot(k) * job.dim, job.dim, keys + (k - begin) * lines);
    for (int64_t k = begin; k < end; k += kWords)
      for (int64_t d = 0; d < 2 * lines; ++d) {
        Tile x{};
        for (int64_t i = 0; i < kTile && d * kTile < job.dim; ++i) {
          const auto value = [&](int64_t key) {
            return rounded(job.values + job.slot(key) * job.dim + d * kTile);
          };
          pair_up(value(k + 2 * i), value(k + 2 * i + 1), x[size_t(i)]);
        }
        transpose(x);
        store(values + (d * (kKeys / kWords) + (k - begin) / kWords) * kTile, x);
      }
  }

  /// scores: [key][32 queries].
  void score(int64_t pair, int64_t n) const {
    const Line* const right = queries + pair * 2 * lines * kTile;
    const int64_t stride = lines * kLine, row = kQueries * int64_t(sizeof(float));
    for (int64_t k = 0; k < n; k += 2 * kTile) {
      _tile_zero(0);
      _tile_zero(1);
      _tile_zero(2);
      _tile_zero(3);
      for (int64_t line = 0; line < lines; ++line) {
        _tile_loadd(4, keys + k * lines + line, stride);
        _tile_loadd(5, keys + (k + kTile) * lines + line, stride);
        _tile_loadd(6, right + line * kTile, kLine);
        _tile_loadd(7, right + (lines + line) * kTile, kLine);
        multiply_tiles<false, 0>();
        multiply_tiles<false, 1>();
        multiply_tiles<false, 2>();
        multiply_tiles<false, 3>();
      }
      float* const to = scores + k * kQueries;
      _tile_stored(0, to, row);
      _tile_stored(1, to + kTile, row);
      _tile_stored(2, to + kTile * kQueries, row);
      _tile_stored(3, to + kTile * kQueries + kTile, row);
    }
  }

  /// Scores of 16 queries -> weights under their largest score so far; what was summed up before is
  /// brought under it, too. A key that is not far for a query weighs exactly 0.
  void weigh(int64_t pair, int64_t half, int64_t begin, int64_t n) const {
    const int64_t at = pair * kQueries + half * kTile;
    Integers far{};
    alignas(64) float before[kTile], added[kTile];
    for (int64_t i = 0; i < kTile; ++i) {
      far[i] = int32_t(far_of(at + i));
      before[i] = at + i < count ? top[size_t(at + i)] : kLeast;
      added[i] = at + i < count ? total[size_t(at + i)] : 0;
    }
    Vector most, sum;
    load(most, before);
    load(sum, added);
    Vector factor = most;
    float* const column = scores + half * kTile;
    for (int64_t k = 0; k < n; ++k) {
      Vector x;
      load(x, column + k * kQueries);
      x = far > int32_t(begin + k) ? x : Vector{} + kHidden;
      store(column + k * kQueries, x);
      most = x > most ? x : most;
    }
    factor -= most;
    exponential(factor);
    sum *= factor;
    for (int64_t k = 0; k < n; k += 2) {
      __m512i two[2];
      for (int64_t i = 0; i < 2; ++i) {
        Vector x;
        load(x, column + (k + i) * kQueries);
        x -= most;
        exponential(x);
        two[i] = rounded(reinterpret_cast<const float*>(&x));
        sum += Vector(_mm512_slli_epi32(two[i], 16));
      }
      Integers pairs_of;
      pair_up(two[0], two[1], pairs_of);
      store(weights + half * (kKeys / 2) + k / 2, pairs_of);
    }
    store(before, most);
    store(added, sum);
    for (int64_t i = 0; i < kTile && at + i < count; ++i) {
      top[size_t(at + i)] = before[i];
      total[size_t(at + i)] = added[i];
    }
    float* const own = sums + pair * kQueries * lines * kWords + half * kTile;
    for (int64_t d = 0; d < lines * kWords; ++d) {
      Vector x;
      load(x, own + d * kQueries);
      x *= factor;
      store(own + d * kQueries, x);
    }
  }

  /// sums [dimension][32 queries] += values x weights.
  void add(int64_t pair, int64_t n) const {
    float* const own = sums + pair * kQueries * lines * kWords;
    const int64_t row = kQueries * int64_t(sizeof(float)), of_dims = kKeys / kWords * kTile;
    for (int64_t d = 0; d < lines; ++d) {
      float* const to = own + d * 2 * kTile * kQueries;
      _tile_loadd(0, to, row);
      _tile_loadd(1, to + kTile, row);
      _tile_loadd(2, to + kTile * kQueries, row);
      _tile_loadd(3, to + kTile * kQueries + kTile, row);
      const Line* const left = values + 2 * d * of_dims;
      for (int64_t k = 0; k < n / kWords; ++k) {
        _tile_loadd(4, left + k * kTile, kLine);
        _tile_loadd(5, left + of_dims + k * kTile, kLine);
        _tile_loadd(6, weights + k * kTile, kLine);
        _tile_loadd(7, weights + kKeys / 2 + k * kTile, kLine);
        multiply_tiles<false, 0>();
        multiply_tiles<false, 1>();
        multiply_tiles<false, 2>();
        multiply_tiles<false, 3>();
      }
      _tile_stored(0, to, row);
      _tile_stored(1, to + kTile, row);
      _tile_stored(2, to + kTile * kQueries, row);
      _tile_stored(3, to + kTile * kQueries + kTile, row);
    }
  }

  void give_sums() const {
    for (int64_t tile = 0; tile < 2 * pairs; ++tile)
      for (int64_t d = 0; d < job.dim; d += kTile) {
        Tile x;
        const float* const from = sums + tile / 2 * kQueries * lines * kWords + tile % 2 * kTile;
        for (int64_t i = 0; i < kTile; ++i) load(x[size_t(i)], from + (d + i) * kQueries);
        transpose(x);
        for (int64_t i = 0; i < kTile && tile * kTile + i < count; ++i)
          store(job.out + job.place(first + tile * kTile + i) + d, x[size_t(i)]);
      }
  }

  void run() const {
    for (float& x : top) x = kLeast;
    for (float& x : total) x = 0;
    std::memset(sums, 0, size_t(pairs * kQueries * lines * kWords) * sizeof(float));
    take_queries();
    int64_t last = 0;
    for (int64_t i = 0; i < count; ++i) last = std::max(last, far_of(i));
    for (int64_t begin = 0; begin < last; begin += kKeys) {
      const int64_t n = std::min(kKeys, last - begin);
      take_keys(begin, begin + n);
      settle();
      for (int64_t pair = 0; pair < pairs; ++pair) {
        score(pair, n);
        weigh(pair, 0, begin, n);
        weigh(pair, 1, begin, n);
        settle();
        add(pair, n);
      }
    }
    give_sums();
  }
};

}  // namespace

void attend_far(const CpuAttention& job, int64_t first, std::span<float> top,
                std::span<float> total) {
  const TileShapes shapes(kTile);
  settle();
  _tile_loadconfig(&shapes);
  Far(job, first, top, total).run();
  _tile_release();
}

}  // namespace docspec
#pragma GCC pop_options

namespace docspec {

bool has_amx_attention() {
  static const bool has = has_amx_bf16() && __builtin_cpu_supports("avx512bf16");
  return has;
}

}  // namespace docspec
#else
namespace docspec {

bool has_amx_attention() {
  return false;
}
void attend_far(const CpuAttention&, int64_t, std::span<float>, std::span<float>) {}

}  // namespace docspec
#endif
