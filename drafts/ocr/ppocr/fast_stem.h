#pragma once

#include "drafts/ocr/ppocr/fast_block.h"

namespace docspec::ppocr {

/// The first layers of PP-LCNetV4 with integer products and f32 between them.
class FastStem {
 public:
  /// Takes weights such as "stem.1.weight".
  FastStem(IntegerKind kind, const WeightOf& weight);

  /// images: [n, 3, height, width] f32, sides multiples of 4 -> [n, height / 4, width / 4,
  /// channels].
  at::Tensor run(const at::Tensor& images) const;

 private:
  void run(const at::Tensor& image, float* out) const;

  IntegerLayer first_, narrow_, fine_, half_, last_;
};

}  // namespace docspec::ppocr
