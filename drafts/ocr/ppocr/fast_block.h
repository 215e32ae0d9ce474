#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <string>
#include <vector>

#include "drafts/ocr/ppocr/layers/integer_layer.h"

namespace docspec::ppocr {

/// Weights in f32 by their names. It throws where there is none; a "squeeze.weight" that is missing
/// is undefined.
using WeightOf = std::function<at::Tensor(const std::string&)>;

/// A block of PP-LCNetV4 with integer products and f32 between them.
class FastBlock {
 public:
  /// Takes the block's weights by their names' ends, such as "token.weight".
  FastBlock(IntegerKind kind, const WeightOf& weight, int down, int across);

  /// x: [n, height, width, channels] f32, contiguous -> likewise, with the outputs' sizes.
  at::Tensor run(const at::Tensor& x) const;

 private:
  int down_, across_;
  at::Tensor token_, token_bias_;  // [3, 3, channels], [channels]
  at::Tensor squeeze_, squeeze_bias_, excite_, excite_bias_;
  IntegerLayer expand_, reduce_;
};

/// The blocks of a net, in their order, by names such as "blocks.0.token.weight". strides: of each,
/// down and across.
std::vector<FastBlock> make_fast_blocks(IntegerKind kind, const WeightOf& weight,
                                        const std::vector<std::vector<int64_t>>& strides);

/// weight: [out, ...] f32, an output's inputs in their order.
IntegerLayer make_integer_layer(IntegerKind kind, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace docspec::ppocr
