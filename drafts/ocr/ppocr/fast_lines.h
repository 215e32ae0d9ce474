#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <string>
#include <vector>

#include "drafts/ocr/ppocr/ctc.h"
#include "drafts/ocr/ppocr/fast_stem.h"

namespace docspec::ppocr {

/// PP-OCRv6 small's recogniser with integer products and f32 between them.
class FastLines {
 public:
  /// Takes weights by their names without "rec.", such as "stem.1.weight". strides: of the blocks.
  FastLines(IntegerKind kind, const WeightOf& weight,
            const std::vector<std::vector<int64_t>>& strides);

  /// As Nets::best_classes.
  std::vector<StepChoice> best_classes(const at::Tensor& lines) const;

 private:
  struct Norm {
    at::Tensor weight, bias;
  };
  struct Layer {
    Norm norm1, norm2;
    IntegerLayer qkv, out, up, down;
  };

  at::Tensor features(const at::Tensor& lines) const;
  at::Tensor layer(const Layer& layer, const at::Tensor& x) const;

  FastStem stem_;
  std::vector<FastBlock> blocks_;
  IntegerLayer skip_, reduce_;
  at::Tensor local_, local_bias_;  // a filter of 7 x 7 of which the middle line is not zero
  std::vector<Layer> layers_;
  Norm norm_;
  std::vector<IntegerLayer> head_;  // some classes each, so that a part's logits stay in the cache
};

}  // namespace docspec::ppocr
