#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace docspec {

/// The numbers of a weight matrix in main memory.
enum class WeightType { f32, bf16, int8 };

/// What the largest of a row, or of an output's weights, becomes in int8.
inline constexpr float kLargestInt8 = 127;

/// Rows as the product with such weights takes them: for int8 round(127 x / largest of the row) +
/// 128, else f32. Each row by itself: what it becomes does not depend on the others.
struct LinearRows {
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  int64_t rows = 0, in = 0;
  int64_t stride = 0;        ///< lines of a row; what lies behind its numbers is zero
  std::vector<Line> data;    ///< [rows, stride]
  std::vector<float> scale;  ///< [rows] int8 alone: largest / 127
};

/// Packs x: [rows, in] f32, row by row `x_row` floats apart, into `to`, whose memory is used again.
void pack_linear_rows(WeightType type, const float* x, int64_t x_row, int64_t rows, int64_t in,
                      LinearRows& to);

/// A weight matrix in main memory: [out, in], row-major.
struct LinearWeights {
  WeightType type = WeightType::f32;
  const void* weight = nullptr;
  const float* bias = nullptr;    ///< [out]; nullptr = none
  const float* scale = nullptr;   ///< [out] int8 alone: weight x scale is the number meant
  const int32_t* sums = nullptr;  ///< [out] int8 alone: sum of a column's weights
};

/// out[r * out_row + c] = sum over k of x[r][k] * w[c][k], + bias[c], for all rows and columns c in
/// [first, last). Each output is reduced in an order of its own dimensions alone, f32 sums (int8:
/// exact integers), so its bits depend neither on the other rows nor on how columns are divided.
/// bf16 weights are widened: products are those of f32 rows. Weights come from memory once for all
/// rows, so up to 8 rows or so cost what reading the weights costs.
void cpu_linear(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                float* out, int64_t out_row);

/// The instructions that products take here, for people: "AVX512-VNNI", "AVX-512", ...
const char* linear_instructions(WeightType type);

}  // namespace docspec
