#pragma once

#include <cstdint>
#include <vector>

namespace docspec::ppocr {

/// Whether this processor multiplies quadruples of int8 (AVX512-VNNI) and this build has kernels.
/// Without, nothing else here may be called.
bool multiplies_int8();

enum class LayerActivation { none, relu, gelu };

/// A product of rows with weights in int8: each row and each output's weights are scaled by their
/// largest absolute value to 127, and sums are exact integers. What becomes of a row does not
/// depend on the others.
class Int8Layer {
 public:
  Int8Layer() = default;
  /// weight: [out, in] f32, bias: [out] f32; in is a multiple of 4.
  Int8Layer(const float* weight, const float* bias, int out, int in);

  int in() const { return in_; }
  int out() const { return out_; }

  /// Rows that go through the layer at once.
  static constexpr int kRows = 12;
  /// Of a row of `out`, in floats: it is a multiple of a register's.
  int out_stride() const { return (out_ + 15) / 16 * 16; }
  /// x: rows x in, one after the other; out: kRows x out_stride(), rows as many as in x (at most
  /// kRows).
  void run(const float* x, int rows, LayerActivation activation, float* out) const;

 private:
  int in_ = 0, out_ = 0;
  std::vector<int8_t> weights_;  // strips of up to 64 outputs; in each, quadruples of inputs
  std::vector<float> scale_, bias_;
  std::vector<int32_t> sums_;  // 128 x the sum of an output's weights: rows carry an offset of 128
};

/// The channels of PP-LCNetV4's blocks: gelu(x W1 + b1) W2 + b2, and x added where `residual`.
/// x: rows x first.in(), times `squeeze` [first.in()] where it is not null; out: rows x
/// second.out(). x and out may be the same. Outputs are multiples of 16.
void run_channels(const Int8Layer& first, const Int8Layer& second, const float* x, int64_t rows,
                  const float* squeeze, bool residual, float* out);

}  // namespace docspec::ppocr
