#pragma once

#include <cstdint>

#include "drafts/ocr/ppocr/layers/aligned.h"

namespace docspec::ppocr {

/// How a processor multiplies rows with weights: int8 in tiles (AMX) or quadruples (AVX512-VNNI),
/// with the same outputs; pairs of int16 (AVX2; nearly as exact as f32, and one and a half times as
/// fast); or in f32 by libtorch.
enum class IntegerKind { none, int8_tiles, int8, int16 };

/// The fastest of this processor and this build.
IntegerKind fastest_integers();
/// Whether layers of that kind may be made here.
bool multiplies(IntegerKind kind);

enum class LayerActivation { none, relu, gelu };

/// A layer's weights as its kernel takes them.
struct IntegerWeights {
  int in = 0, outputs = 0;      // outputs: padded to a register's, 16
  int padded = 0;               // inputs with those of weight 0 after them: tiles take 64 at once
  AlignedVector<int8_t> bytes;  // int8: strips of up to 64 outputs (tiles: 16); in each, quadruples
                                // of inputs
  AlignedVector<int16_t> shorts;  // int16: strips of 16 outputs; in each, pairs of inputs
  AlignedVector<float> scale, bias;
  AlignedVector<int32_t> sums;  // int8 without tiles: 128 x the sum of an output's weights, as rows
                                // carry that offset
};

/// Where a layer's outputs go.
struct LayerRows {
  float* first;      ///< of the first row
  int stride;        ///< floats from one row to the next, at least the layer's width()
  bool add = false;  ///< to what stands there
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

  /// Outputs that are written: out(), and zeros up to a multiple of a register's.
  int width() const { return weights_.outputs; }

  /// Rows that go through the layer at once.
  static constexpr int kRows = 48;
  /// x: rows x in(), one after the other, at most kRows. Nothing is written after the last row.
  void run(const float* x, int rows, LayerActivation activation, const LayerRows& out) const;

 private:
  IntegerKind kind_ = IntegerKind::none;
  int out_ = 0;
  IntegerWeights weights_;
};

/// layer.run of any number of rows.
void run_rows(const IntegerLayer& layer, const float* x, int64_t rows, LayerActivation activation,
              const LayerRows& out);

/// The channels of PP-LCNetV4's blocks: gelu(x W1 + b1) W2 + b2. x: rows x first.in(); it is
/// multiplied by `squeeze` [first.in()] first, in place, where that is not null. out: rows x
/// second.out(), a multiple of 16; where it is x itself, the outputs are added to x.
void run_channels(const IntegerLayer& first, const IntegerLayer& second, float* x, int64_t rows,
                  const float* squeeze, float* out);

}  // namespace docspec::ppocr
