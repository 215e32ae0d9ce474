#include "core/ops/cpu/attention/cpu_attention.h"

#include <algorithm>
#include <limits>

#include "core/ops/cpu/attention/cpu_attention_amx.h"
#include "core/ops/cpu/cpu_vector.h"

namespace docspec {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

/// Keys, or values, that stay in a core's first cache while all queries pass.
constexpr int64_t kCached = 64;

/// Keys whose sums with four queries stay in registers: AVX-512 has twice as many.
template <class V>
constexpr int kKeysAtOnce = sizeof(V) == 64 ? 4 : 3;

/// scores[i][k] = q[i] . key[k] of four queries and `count` keys.
template <class V, int kDim>
DOCSPEC_INLINE void score(const float* const* q, const float* const* keys, int64_t count,
                          float* scores, int64_t width) {
  constexpr int kKeys = kKeysAtOnce<V>;
  for (int64_t first = 0; first < count; first += kKeys) {
    V sums[4][kKeys] = {};
    const float* key[kKeys];  // the last key stands in for missing ones
    for (int k = 0; k < kKeys; ++k) key[k] = keys[std::min(first + k, count - 1)];
    for (int d = 0; d < kDim; d += kLanesOf<V>) {
      V query[4], part;
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) load(query[i], q[i] + d);
#pragma GCC unroll 4
      for (int k = 0; k < kKeys; ++k) {
        load(part, key[k] + d);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) sums[i][k] += query[i] * part;
      }
    }
    const int64_t n = std::min<int64_t>(kKeys, count - first);
    if constexpr (sizeof(V) == 64) {
      V all;
      sums_of(sums, all);
      for (int i = 0; i < 4; ++i)
        std::memcpy(scores + i * width + first, reinterpret_cast<const float*>(&all) + 4 * i,
                    size_t(n) * sizeof(float));
    } else {
      for (int k = 0; k < kKeys; ++k) {
        Registers<16>::Vector four[4], all;
        for (int i = 0; i < 4; ++i) fold(sums[i][k], four[i]);
        sums_of(four[0], four[1], four[2], four[3], all);
        for (int i = 0; i < 4 && k < n; ++i) scores[i * width + first + k] = all[i];
      }
    }
  }
}

/// out[i] += weight[i][k] * value[k] from column `d` on, key by key. kParts: vectors.
template <class V, int kQueries, int kParts>
DOCSPEC_INLINE void weigh(const float* weights, int64_t width, const float* const* values,
                          int64_t count, int64_t d, float* const* out) {
  V sum[kQueries][kParts];
  for (int i = 0; i < kQueries; ++i)
    for (int c = 0; c < kParts; ++c) load(sum[i][c], out[i] + d + c * kLanesOf<V>);
  for (int64_t k = 0; k < count; ++k) {
    V value[kParts];
    for (int c = 0; c < kParts; ++c) load(value[c], values[k] + d + c * kLanesOf<V>);
    for (int i = 0; i < kQueries; ++i) {
      const float weight = weights[i * width + k];
      for (int c = 0; c < kParts; ++c) sum[i][c] += weight * value[c];
    }
  }
  for (int i = 0; i < kQueries; ++i)
    for (int c = 0; c < kParts; ++c) store(out[i] + d + c * kLanesOf<V>, sum[i][c]);
}

/// totals[i] += weight[i][k] of four queries, key by key.
DOCSPEC_INLINE void add_weights(const float* weights, int64_t width, int64_t count, float* totals) {
  float total[4];
  for (int i = 0; i < 4; ++i) total[i] = totals[i];
  for (int64_t k = 0; k < count; ++k)
    for (int i = 0; i < 4; ++i) total[i] += weights[i * width + k];
  for (int i = 0; i < 4; ++i) totals[i] = total[i];
}

/// Queries, keys and values that are processed together: pointers in the order of the path,
/// starting with the first key that is near to a query.
struct QueryBlock {
  const float* q[kAttentionQueries];
  float* out[kAttentionQueries];
  int64_t row[kAttentionQueries];
  int64_t far[kAttentionQueries];       // keys of the query that `top`, `total` and `out` hold
  float top[kAttentionQueries] = {};    // largest score
  float total[kAttentionQueries] = {};  // sum of the weights
  int64_t queries = 0, begin = 0, keys = 0, width = 0;
  std::vector<const float*> key, value;
};

/// top, total: of the far keys, for these queries.
QueryBlock block_of(const CpuAttention& job, int64_t first, int64_t count, const float* top,
                    const float* total) {
  QueryBlock block;
  block.queries = std::min(count, job.rows * job.group - first);
  for (int64_t i = 0; i < kAttentionQueries; ++i) {  // the last query stands in for missing ones
    const int64_t query = first + std::min(i, block.queries - 1);
    block.row[i] = query / job.group;
    block.q[i] = job.q + job.place(query);
    block.out[i] = job.out + job.place(query);
    block.far[i] = job.far ? job.far[block.row[i]] : 0;
    if (block.far[i] == 0) continue;
    block.top[i] = top[query - first];
    block.total[i] = total[query - first];
  }
  block.begin = *std::min_element(block.far, block.far + block.queries);
  // No row sees a later one.
  const int64_t tree_keys = block.row[block.queries - 1] + 1;
  block.keys = job.shared + tree_keys - block.begin;
  block.width = (block.keys + kLanes - 1) / kLanes * kLanes;
  block.key.resize(size_t(block.keys));
  block.value.resize(size_t(block.keys));
  for (int64_t k = 0; k < block.keys; ++k) {
    const int64_t slot = job.slot(block.begin + k);
    block.key[size_t(k)] = job.keys + slot * job.dim;
    block.value[size_t(k)] = job.values + slot * job.dim;
  }
  return block;
}

/// Scores -> exp(score - largest of the row), 0 where the row does not see the key or it is far;
/// what far keys gave is brought under the same largest score.
template <class V>
DOCSPEC_INLINE void to_weights(const CpuAttention& job, QueryBlock& block, int64_t query,
                               float* scores) {
  const uint8_t* sees = job.sees + block.row[query] * job.rows;
  const int64_t tree = job.shared - block.begin;
  for (int64_t k = 0; k < block.far[query] - block.begin; ++k) scores[k] = kHidden;
  for (int64_t k = tree; k < block.keys; ++k)
    if (!sees[k - tree]) scores[k] = kHidden;
  for (int64_t k = block.keys; k < block.width; ++k) scores[k] = kHidden;
  V tops = V{} + (block.far[query] > 0 ? block.top[query] : kHidden);
  for (int64_t k = 0; k < block.width; k += kLanesOf<V>) {
    V x;
    load(x, scores + k);
    tops = x > tops ? x : tops;
  }
  float top = kHidden;
  for (int i = 0; i < kLanesOf<V>; ++i) top = std::max(top, float(tops[i]));
  for (int64_t k = 0; k < block.width; k += kLanesOf<V>) {
    V x;
    load(x, scores + k);
    x -= top;
    exponential(x);
    store(scores + k, x);
  }
  V factor = V{} + (block.top[query] - top);
  if (query < block.queries && block.far[query] > 0) {
    exponential(factor);
    for (int64_t d = 0; d < job.dim; ++d) block.out[query][d] *= factor[0];
    block.total[query] *= factor[0];
  } else if (query < block.queries) {
    std::fill_n(block.out[query], job.dim, 0.0f);
  }
  block.top[query] = top;
}

/// Adds each query's weights of the slots that are asked for to its row; those of far keys are
/// worked out again.
template <class V, int kDim>
DOCSPEC_INLINE void add_seen(const CpuAttention& job, const QueryBlock& block,
                             const float* scores) {
  const int64_t n = job.seen_last - job.seen_first;
  for (int64_t i = 0; i < block.queries; ++i) {
    float* row = job.seen + block.row[i] * n;
    const float* const weights = scores + i * block.width;
    int64_t k = job.seen_first;
    for (; k < std::min(block.far[i], job.seen_last); ++k) {
      const float* const key = job.keys + job.slot(k) * job.dim;
      float found[4];
      const float* const same[4] = {block.q[i], block.q[i], block.q[i], block.q[i]};
      score<V, kDim>(same, &key, 1, found, 1);
      V x = V{} + (found[0] - block.top[i]);
      exponential(x);
      row[k - job.seen_first] += x[0] / block.total[i];
    }
    for (; k < job.seen_last; ++k)
      row[k - job.seen_first] += weights[k - block.begin] / block.total[i];
  }
}

/// Of n, up to `most`.
constexpr int largest_divisor(int n, int most) {
  while (n % most != 0) --most;
  return most;
}

template <class V, int kDim>
DOCSPEC_INLINE void attend(const CpuAttention& job, QueryBlock& block, float* scores) {
  constexpr int kVectors = kDim / kLanesOf<V>, kQueries = 4;
  // Vectors of four queries' outputs whose sums stay in registers.
  constexpr int kParts = largest_divisor(kVectors, sizeof(V) == 64 ? 5 : 3);
  for (int64_t k = 0; k < block.keys; k += kCached)
    for (int64_t i = 0; i < block.queries; i += kQueries)
      score<V, kDim>(block.q + i, block.key.data() + k, std::min(kCached, block.keys - k),
                     scores + i * block.width + k, block.width);
  for (int64_t i = 0; i < (block.queries + 3) / 4 * 4; ++i)
    to_weights<V>(job, block, i, scores + i * block.width);
  for (int64_t k = 0; k < block.keys; k += kCached) {
    const int64_t count = std::min(kCached, block.keys - k);
    for (int64_t i = 0; i < block.queries; i += kQueries) {
      const float* const weights = scores + i * block.width + k;
      for (int64_t d = 0; d < kDim; d += kParts * kLanesOf<V>)
        weigh<V, kQueries, kParts>(weights, block.width, block.value.data() + k, count, d,
                                   block.out + i);
      add_weights(weights, block.width, count, block.total + i);
    }
  }
  for (int64_t i = 0; i < block.queries; ++i)
    for (int64_t d = 0; d < job.dim; ++d) block.out[i][d] /= block.total[i];
  if (job.seen) add_seen<V, kDim>(job, block, scores);
}

void attend_any(const CpuAttention& job, QueryBlock& block, float* scores) {
  for_each_cpu([&](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    switch (job.dim) {
      case 16:
        return attend<V, 16>(job, block, scores);
      case 32:
        return attend<V, 32>(job, block, scores);
      case 48:
        return attend<V, 48>(job, block, scores);
      case 64:
        return attend<V, 64>(job, block, scores);
      case 80:
        return attend<V, 80>(job, block, scores);
      case 96:
        return attend<V, 96>(job, block, scores);
      case 128:
        return attend<V, 128>(job, block, scores);
      case 256:
        return attend<V, 256>(job, block, scores);
      default:
        return;
    }
  });
}

}  // namespace

bool cpu_attention_takes(int64_t dim) {
  return dim == 16 * kLanes ||
         (dim % kLanes == 0 && dim > 0 && dim <= 8 * kLanes && dim != 7 * kLanes);
}

void cpu_attention(const CpuAttention& job, int64_t first, int64_t count,
                   std::vector<float>& scratch) {
  count = std::min(count, job.rows * job.group - first);
  std::vector<float> far(job.far ? size_t(2 * count) : 0);  // largest scores, sums of weights
  const auto top = std::span(far).first(far.size() / 2),
             total = std::span(far).last(far.size() / 2);
  if (job.far) attend_far(job, first, top, total);
  for (int64_t i = 0; i < count; i += kAttentionQueries) {
    QueryBlock block = block_of(job, first + i, std::min(kAttentionQueries, count - i),
                                top.data() + i, total.data() + i);
    scratch.resize(size_t(kAttentionQueries * block.width));
    attend_any(job, block, scratch.data());
  }
}

}  // namespace docspec
