#pragma once

#include <cstdint>
#include <vector>

namespace docspec {

/// One head of an image's patches, each of which attends to all: rows of `dim` bf16 numbers,
/// `..._row` numbers apart.
struct FullAttention {
  const uint16_t *q = nullptr, *k = nullptr, *v = nullptr;
  int64_t q_row = 0, k_row = 0, v_row = 0;
  uint16_t* out = nullptr;
  int64_t out_row = 0;
  int64_t rows = 0, dim = 0;
};

/// Keys and values of a head as the kernel takes them; memory is used again.
struct PackedHead {
  std::vector<uint32_t> keys, values;  // pairs of bf16
};

/// Whether this processor multiplies pairs of bf16 (AVX512-BF16) and the kernel takes heads of this
/// size.
bool full_attention_takes(int64_t dim);

/// Packs the keys and values of a head.
void pack_head(const FullAttention& head, PackedHead& to);

/// Softmax(q k^T / sqrt(dim)) v of rows [first, last), first a multiple of 8: scores and sums in
/// f32, weights in bf16, block by block of keys, as flash attention has it. A row's bits depend on
/// no other one.
void attend_fully(const FullAttention& head, const PackedHead& packed, int64_t first, int64_t last);

}  // namespace docspec
