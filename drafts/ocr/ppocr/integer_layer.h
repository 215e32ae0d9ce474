#pragma once

#include <cstdint>
#include <vector>

namespace docspec::ppocr {

/// How a processor multiplies rows with weights: quadruples of int8 (AVX512-VNNI), pairs of int16
/// (AVX2; nearly as exact as f32, and one and a half times as fast), or in f32 by libtorch.
enum class IntegerKind { none, int8, int16 };

/// The fastest of this processor and this build.
IntegerKind fastest_integers();
/// Whether layers of that kind may be made here.
bool multiplies(IntegerKind kind);

enum class LayerActivation { none, relu, gelu };

/// A layer's weights as its kernel takes them.
struct IntegerWeights {
  int in = 0, outputs = 0;      // outputs: padded to a register's, 16
  std::vector<int8_t> bytes;    // int8: strips of up to 64 outputs; in each, quadruples of inputs
  std::vector<int16_t> shorts;  // int16: strips of 16 outputs; in each, pairs of inputs
  std::vector<float> scale, bias;
  std::vector<int32_t> sums;  // int8: 128 x the sum of an output's weights; rows carry that offset
};

/// A product of rows with weights in integers: each row and each output's weights are scaled by
/// their largest absolute value (int8: both to 127; int16: rows to 2047 and weights to 1023), and
/// sums are exact integers. What becomes of a row does not depend on the others.
class IntegerLayer {
 public:
  IntegerLayer() = default;
  /// weight: [out, in] f32, bias: [out] f32; in is a multiple of 4 and at most 1024.
  IntegerLayer(IntegerKind kind, const float* weight, const float* bias, int out, int in);

  int in() const { return weights_.in; }
  int out() const { return out_; }

  /// Rows that go through the layer at once.
  static constexpr int kRows = 24;
  /// Of a row of `out`, in floats: it is a multiple of a register's.
  int out_stride() const { return weights_.outputs; }
  /// x: rows x in, one after the other; out: kRows x out_stride(), rows as many as in x (at most
  /// kRows).
  void run(const float* x, int rows, LayerActivation activation, float* out) const;

 private:
  IntegerKind kind_ = IntegerKind::none;
  int out_ = 0;
  IntegerWeights weights_;
};

/// The channels of PP-LCNetV4's blocks: gelu(x W1 + b1) W2 + b2, and x added where `residual`.
/// x: rows x first.in(), times `squeeze` [first.in()] where it is not null; out: rows x
/// second.out(). x and out may be the same. Outputs are multiples of 16.
void run_channels(const IntegerLayer& first, const IntegerLayer& second, const float* x,
                  int64_t rows, const float* squeeze, bool residual, float* out);

}  // namespace docspec::ppocr
