#pragma once

#include <cstdint>
#include <vector>

namespace docspec {

/// Attention of the rows of one job and the query heads of one key head, on plain f32 memory.
struct CpuAttention {
  int64_t rows = 0;                ///< rows of the pass
  int64_t group = 0;               ///< query heads of the key head
  int64_t dim = 0;                 ///< cpu_attention_takes(dim)
  int64_t shared = 0;              ///< committed keys, seen by every row, in order
  const int64_t* slots = nullptr;  ///< [shared] their slots; nullptr = 0, 1, 2, ...
  int64_t tree = 0;                ///< slot of row 0; row r lies at tree + r
  const uint8_t* sees = nullptr;   ///< [rows, rows] 1 at a row's ancestors and at itself
  const float* q = nullptr;        ///< scaled queries: row r, head g at q + r * q_row + g * dim
  int64_t q_row = 0;
  const float* keys = nullptr;    ///< [capacity, dim]
  const float* values = nullptr;  ///< [capacity, dim]
  float* out = nullptr;           ///< as q
  /// Where the weights of the shared keys [seen_first, seen_last) go, added up over the heads of
  /// the group: row r at seen + r * (seen_last - seen_first); nullptr = nowhere.
  float* seen = nullptr;
  int64_t seen_first = 0, seen_last = 0;
  /// [rows] of a row's shared keys so many, a multiple of kFarStep, are far: taken in bf16
  /// (core/ops/cpu/attention/cpu_attention_amx.h); nullptr = none.
  const int64_t* far = nullptr;

  int64_t slot(int64_t key) const {
    return key >= shared ? tree + key - shared : slots ? slots[key] : key;
  }
  /// Where a query lies in q and out: row query / group, head query % group.
  int64_t place(int64_t query) const { return query / group * q_row + query % group * dim; }
};

inline constexpr int64_t kFarStep = 64;

/// Whether there is a kernel for heads of this size.
bool cpu_attention_takes(int64_t dim);

/// Most queries that cpu_attention works on together; a call's far keys are made ready once.
inline constexpr int64_t kAttentionQueries = 32;

/// `count` queries from `first` on, of rows * group (query i is row i / group, head i % group).
/// With `seen`, whole rows. A query's bits follow from its own path, and its number of far keys,
/// alone: scores are reduced over the head's dimensions in a fixed order, weights and values are
/// summed key by key along the path, and a hidden key weighs exactly 0, which leaves every partial
/// sum as it is. `scratch` is kept between calls.
void cpu_attention(const CpuAttention& job, int64_t first, int64_t count,
                   std::vector<float>& scratch);

}  // namespace docspec
