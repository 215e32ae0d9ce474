#pragma once

#include <array>
#include <cstdint>

#include "core/ops/cpu/cpu_linear.h"

namespace docspec {

/// Weights of int4 that share a size.
inline constexpr int64_t kInt4Group = 32;

/// 64 weights of four bits: numbers of a list of sixteen, which is scaled by each group's size.
struct Int4Block {
  uint8_t pairs[kInt4Group];  ///< weight i in the lower bits of byte i, weight 32 + i in the upper
  uint8_t sizes[2];           ///< of both groups: -127 to 127, + 128
};
inline constexpr int64_t kInt4Block = 2 * kInt4Group;

/// The sixteen int8 weights of each size. The list that they are scaled from has the least mean
/// square error for groups of 32 normal numbers (Lloyd's algorithm); it is not symmetric, and the
/// sign of the size says which end has the larger numbers.
inline constexpr auto kInt4Weights = [] {
  constexpr int kList[16] = {-127, -101, -82, -66, -52, -38, -24, -11,
                             2,    15,   28,  40,  54,  69,  87,  112};
  std::array<std::array<int8_t, 16>, 256> out{};
  for (int size = -127; size <= 127; ++size)
    for (size_t i = 0; i < 16; ++i) {
      const int product = size * kList[i], half = product < 0 ? -63 : 63;
      out[size_t(size + 128)][i] = int8_t((product + half) / 127);  // to the nearest
    }
  return out;
}();

/// A row of `in` weights (a multiple of kInt4Block) as blocks: int8 weights, of which `scale` times
/// is meant, as near to the row as the better one of four sizes of each group brings them.
struct Int4Row {
  float scale = 0;  ///< largest of the row / 127
  int32_t sum = 0;  ///< of the int8 weights
};
Int4Row to_int4(const float* row, int64_t in, Int4Block* to);

/// `count` blocks as the int8 weights that they stand for.
using ExpandInt4 = void (*)(const Int4Block* from, int64_t count, int8_t* to);
void expand_int4(const Int4Block* from, int64_t count, int8_t* to);

/// A product with weights of int4 by the kernel of int8, which takes some outputs at a time.
void multiply_expanded(const LinearRows& x, const LinearWeights& weights, int64_t first,
                       int64_t last, float* out, int64_t out_row, ExpandInt4 expand,
                       decltype(LinearKernel::multiply) multiply);

}  // namespace docspec
