#include "core/cpu_attention.h"

#include <algorithm>
#include <limits>

#include "core/cpu_vector.h"

namespace docspec {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

/// scores[i][k] = q[i] . key[k] of `kQueries` queries and all keys. kParts: vectors a head.
template <int kParts, int kQueries>
DOCSPEC_INLINE void score(const float* const* q, const float* const* keys, int64_t count,
                          float* scores, int64_t width) {
  for (int64_t k = 0; k < count; ++k) {
    Vector sum[kQueries] = {};
    for (int c = 0; c < kParts; ++c) {
      Vector key;
      load(key, keys[k] + c * kLanes);
      for (int i = 0; i < kQueries; ++i) {
        Vector query;
        load(query, q[i] + c * kLanes);
        sum[i] += query * key;
      }
    }
    for (int i = 0; i < kQueries; ++i) scores[i * width + k] = sum_of(sum[i]);
  }
}

/// out[i] = sum over keys of weight[i][k] * value[k], divided by the sum of the weights, which goes
/// to totals[i].
template <int kParts, int kQueries>
DOCSPEC_INLINE void weigh(const float* weights, int64_t width, const float* const* values,
                          int64_t count, float* const* out, float* totals) {
  Vector sum[kQueries][kParts] = {};
  float total[kQueries] = {};
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
    for (int c = 0; c < kParts; ++c) store(out[i] + c * kLanes, sum[i][c] / total[i]);
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
  for (int64_t i = 0; i < block.queries; i += kScored)
    score<kParts, kScored>(block.q + i, block.key.data(), block.keys, scores + i * block.width,
                           block.width);
  for (int64_t i = 0; i < (block.queries + 3) / 4 * 4; ++i)
    to_weights(job, block, i, scores + i * block.width);
  float totals[kAttentionQueries];
  for (int64_t i = 0; i < block.queries; i += kWeighed)
    weigh<kParts, kWeighed>(scores + i * block.width, block.width, block.value.data(), block.keys,
                            block.out + i, totals + i);
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
