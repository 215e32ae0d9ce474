#include "core/cpu_attention.h"

#include <algorithm>
#include <limits>

#include "core/cpu_vector.h"

namespace docspec {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

/// Keys, or values, that stay in a core's first cache while all queries pass.
constexpr int64_t kCached = 64;

/// all = the sums of sixteen vectors' lanes, each in the order of sum_of: lane 4 i + k is that of
/// sums[i][k].
DOCSPEC_INLINE void sums_of(const Vector (&sums)[4][4], Vector& all) {
  Vector quarter[4];
  for (int k = 0; k < 4; ++k) {
    Vector half[2];
    for (int i = 0; i < 2; ++i) {
      const Vector &a = sums[2 * i][k], &b = sums[2 * i + 1][k];
      half[i] =
          __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
          __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30,
                                  31);
    }
    quarter[k] = __builtin_shufflevector(half[0], half[1], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19,
                                         24, 25, 26, 27) +
                 __builtin_shufflevector(half[0], half[1], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22,
                                         23, 28, 29, 30, 31);
  }
  Vector pair[2];
  for (int k = 0; k < 2; ++k)
    pair[k] = __builtin_shufflevector(quarter[2 * k], quarter[2 * k + 1], 0, 1, 16, 17, 4, 5, 20,
                                      21, 8, 9, 24, 25, 12, 13, 28, 29) +
              __builtin_shufflevector(quarter[2 * k], quarter[2 * k + 1], 2, 3, 18, 19, 6, 7, 22,
                                      23, 10, 11, 26, 27, 14, 15, 30, 31);
  all = __builtin_shufflevector(pair[0], pair[1], 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14,
                                28, 30) +
        __builtin_shufflevector(pair[0], pair[1], 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15,
                                29, 31);
}

/// scores[i][k] = q[i] . key[k] of four queries and `count` keys. kParts: vectors a head.
template <int kParts>
DOCSPEC_INLINE void score(const float* const* q, const float* const* keys, int64_t count,
                          float* scores, int64_t width) {
  for (int64_t first = 0; first < count; first += 4) {  // the last key stands in for missing ones
    Vector sums[4][4] = {};
    for (int c = 0; c < kParts; ++c) {
      Vector query[4];
      for (int i = 0; i < 4; ++i) load(query[i], q[i] + c * kLanes);
      for (int k = 0; k < 4; ++k) {
        Vector key;
        load(key, keys[std::min(first + k, count - 1)] + c * kLanes);
        for (int i = 0; i < 4; ++i) sums[i][k] += query[i] * key;
      }
    }
    Vector all;
    sums_of(sums, all);
    const auto n = size_t(std::min<int64_t>(4, count - first)) * sizeof(float);
    for (int i = 0; i < 4; ++i)
      std::memcpy(scores + i * width + first, reinterpret_cast<const float*>(&all) + 4 * i, n);
  }
}

/// out[i] += weight[i][k] * value[k] and totals[i] += weight[i][k], key by key.
template <int kParts, int kQueries>
DOCSPEC_INLINE void weigh(const float* weights, int64_t width, const float* const* values,
                          int64_t count, float* const* out, float* totals) {
  Vector sum[kQueries][kParts];
  float total[kQueries];
  for (int i = 0; i < kQueries; ++i) {
    for (int c = 0; c < kParts; ++c) load(sum[i][c], out[i] + c * kLanes);
    total[i] = totals[i];
  }
  for (int64_t k = 0; k < count; ++k) {
    Vector value[kParts];
    for (int c = 0; c < kParts; ++c) load(value[c], values[k] + c * kLanes);
    for (int i = 0; i < kQueries; ++i) {
      const float weight = weights[i * width + k];
      total[i] += weight;
      for (int c = 0; c < kParts; ++c) sum[i][c] += weight * value[c];
    }
  }
  for (int i = 0; i < kQueries; ++i) {
    for (int c = 0; c < kParts; ++c) store(out[i] + c * kLanes, sum[i][c]);
    totals[i] = total[i];
  }
}

/// What one call works on: pointers to queries, keys and values in the order of the path.
struct Block {
  const float* q[kAttentionQueries];
  float* out[kAttentionQueries];
  int64_t row[kAttentionQueries];
  int64_t queries = 0, keys = 0, width = 0;
  std::vector<const float*> key, value;
};

Block block_of(const CpuAttention& job, int64_t first, int64_t count) {
  Block block;
  block.queries = std::min(count, job.rows * job.group - first);
  for (int64_t i = 0; i < kAttentionQueries; ++i) {  // the last query stands in for missing ones
    const int64_t query = first + std::min(i, block.queries - 1);
    const int64_t at = query / job.group * job.q_row + query % job.group * job.dim;
    block.row[i] = query / job.group;
    block.q[i] = job.q + at;
    block.out[i] = job.out + at;
  }
  // No row sees a later one.
  const int64_t tree_keys = block.row[block.queries - 1] + 1;
  block.keys = job.shared + tree_keys;
  block.width = (block.keys + kLanes - 1) / kLanes * kLanes;
  block.key.resize(size_t(block.keys));
  block.value.resize(size_t(block.keys));
  for (int64_t k = 0; k < block.keys; ++k) {
    const int64_t slot = k >= job.shared ? job.tree + k - job.shared : job.slots ? job.slots[k] : k;
    block.key[size_t(k)] = job.keys + slot * job.dim;
    block.value[size_t(k)] = job.values + slot * job.dim;
  }
  return block;
}

/// Scores -> exp(score - largest of the row), 0 where the row does not see the key.
DOCSPEC_INLINE void to_weights(const CpuAttention& job, const Block& block, int64_t query,
                               float* scores) {
  const uint8_t* sees = job.sees + block.row[query] * job.rows;
  for (int64_t k = job.shared; k < block.keys; ++k)
    if (!sees[k - job.shared]) scores[k] = kHidden;
  for (int64_t k = block.keys; k < block.width; ++k) scores[k] = kHidden;
  Vector tops = Vector{} + kHidden;
  for (int64_t k = 0; k < block.width; k += kLanes) {
    Vector x;
    load(x, scores + k);
    tops = x > tops ? x : tops;
  }
  float top = kHidden;
  for (int i = 0; i < kLanes; ++i) top = std::max(top, float(tops[i]));
  for (int64_t k = 0; k < block.width; k += kLanes) {
    Vector x;
    load(x, scores + k);
    x -= top;
    exponential(x);
    store(scores + k, x);
  }
}

/// Adds each query's weights of the slots that are asked for to its row.
DOCSPEC_INLINE void add_seen(const CpuAttention& job, const Block& block, const float* scores,
                             const float* totals) {
  const int64_t n = job.seen_last - job.seen_first;
  for (int64_t i = 0; i < block.queries; ++i) {
    const float* weights = scores + i * block.width + job.seen_first;
    float* row = job.seen + block.row[i] * n;
    for (int64_t k = 0; k < n; ++k) row[k] += weights[k] / totals[i];
  }
}

template <int kParts>
DOCSPEC_INLINE void attend(const CpuAttention& job, const Block& block, float* scores) {
  constexpr int kScored = 4, kWeighed = kParts <= 4 ? 4 : 2;
  for (int64_t k = 0; k < block.keys; k += kCached)
    for (int64_t i = 0; i < block.queries; i += kScored)
      score<kParts>(block.q + i, block.key.data() + k, std::min(kCached, block.keys - k),
                    scores + i * block.width + k, block.width);
  for (int64_t i = 0; i < (block.queries + 3) / 4 * 4; ++i)
    to_weights(job, block, i, scores + i * block.width);
  float totals[kAttentionQueries] = {};
  for (int64_t i = 0; i < block.queries; ++i) std::fill_n(block.out[i], job.dim, 0.0f);
  for (int64_t k = 0; k < block.keys; k += kCached)
    for (int64_t i = 0; i < block.queries; i += kWeighed)
      weigh<kParts, kWeighed>(scores + i * block.width + k, block.width, block.value.data() + k,
                              std::min(kCached, block.keys - k), block.out + i, totals + i);
  for (int64_t i = 0; i < block.queries; ++i)
    for (int64_t d = 0; d < job.dim; ++d) block.out[i][d] /= totals[i];
  if (job.seen) add_seen(job, block, scores, totals);
}

DOCSPEC_FOR_EACH_CPU void attend_any(const CpuAttention& job, const Block& block, float* scores) {
  switch (job.dim / kLanes) {
    case 1:
      return attend<1>(job, block, scores);
    case 2:
      return attend<2>(job, block, scores);
    case 3:
      return attend<3>(job, block, scores);
    case 4:
      return attend<4>(job, block, scores);
    case 5:
      return attend<5>(job, block, scores);
    case 6:
      return attend<6>(job, block, scores);
    case 8:
      return attend<8>(job, block, scores);
    default:
      return;
  }
}

}  // namespace

bool cpu_attention_takes(int64_t dim) {
  return dim % kLanes == 0 && dim > 0 && dim <= 8 * kLanes && dim != 7 * kLanes;
}

void cpu_attention(const CpuAttention& job, int64_t first, int64_t count,
                   std::vector<float>& scratch) {
  const Block block = block_of(job, first, count);
  scratch.resize(size_t(kAttentionQueries * block.width));
  attend_any(job, block, scratch.data());
}

}  // namespace docspec
