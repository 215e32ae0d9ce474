#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace docspec {

/// The numbers of a weight matrix in main memory; int4: see Int4Block.
enum class WeightType { f32, bf16, int8, int4 };

/// The int8 value to which the largest absolute value of a row, or of an output's weights, is
/// scaled.
inline constexpr float kLargestInt8 = 127;

struct LinearKernel;

/// Rows as a kernel takes them, in the numbers of its weights: f32; bf16, rounded to nearest; for
/// int8 and int4 round(127 x / largest of the row), + 128 where the kernel wants it. Each row by
/// itself: what it becomes does not depend on the others.
class LinearRows {
 public:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  /// Rows that `pack` may take at once on a thread of its own.
  static constexpr int64_t kBlock = 16;

  /// Makes room for [rows, in]; memory is used again.
  void reset(const LinearKernel& kernel, int64_t rows, int64_t in);
  /// Packs rows [first, last) of x: [rows, in] f32, row by row `x_row` floats apart; first is a
  /// multiple of kBlock, last one too or `rows`.
  void pack(const float* x, int64_t x_row, int64_t first, int64_t last);

  int64_t rows() const { return rows_; }
  int64_t in() const { return in_; }
  int64_t stride() const { return stride_; }  ///< lines of a row, padded with zeros
  /// A row where rows lie one after the other, else the block that begins with it.
  const Line* row(int64_t r) const { return data_.data() + r * stride_; }
  float scale(int64_t r) const { return scale_[size_t(r)]; }  ///< int8, int4: largest / 127

 private:
  const LinearKernel* kernel_ = nullptr;
  int64_t rows_ = 0, in_ = 0, stride_ = 0;
  std::vector<Line> data_;
  std::vector<float> scale_;
};

/// A weight matrix in main memory: [out, in], row-major.
struct LinearWeights {
  WeightType type = WeightType::f32;
  const void* weight = nullptr;
  const float* bias = nullptr;    ///< [out]; nullptr = none
  const float* scale = nullptr;   ///< [out] int8, int4: int8 weight x scale is the number meant
  const int32_t* sums = nullptr;  ///< [out] int8, int4: sum of a column's int8 weights
};

/// One way to multiply rows with weights of a type. Each output is reduced in an order of its own
/// dimensions alone, f32 sums (int8, int4: exact integers), so its bits depend neither on the other
/// rows nor on how columns are divided. Weights come from memory once for all rows.
struct LinearKernel {
  const char* instructions;  ///< for people: "AVX512-VNNI", "AVX-512", ...
  int64_t number_bytes;      ///< of a packed row
  int64_t outputs;           ///< worked on together; shares of a product are multiples of it
  int64_t most_rows;         ///< at once, for rows to stay in a core's cache
  /// Packs a row and pads it with zeros to whole lines; returns its scale.
  float (*pack)(const float* x, int64_t in, std::byte* to, int64_t bytes);
  /// Rows of a block, one after the other -> the block as the kernel takes it; nullptr = as it is.
  void (*weave)(const LinearRows::Line* rows, int64_t count, int64_t width, int64_t stride,
                LinearRows::Line* to);
  /// out[r * out_row + c] = sum over k of x[r][k] * w[c][k], + bias[c], for all rows and columns c
  /// in [first, last).
  void (*multiply)(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                   float* out, int64_t out_row);
};

/// The kernels that this processor can run, the fastest first; the last one runs anywhere.
std::span<const LinearKernel> linear_kernels(WeightType type);

/// The next multiple from n on.
inline int64_t round_up(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// Width of the blocks that woven rows lie in.
inline int64_t block_width(int64_t rows) {
  return rows < LinearRows::kBlock ? rows : LinearRows::kBlock;
}

}  // namespace docspec
