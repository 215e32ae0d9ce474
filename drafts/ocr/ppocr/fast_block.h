#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <string>

#include "drafts/ocr/ppocr/integer_layer.h"

namespace docspec::ppocr {

/// A block of PP-LCNetV4 with integer products and f32 between them.
class FastBlock {
 public:
  /// Takes the block's weights by their names' ends, such as "token.weight"; undefined = it has
  /// none.
  FastBlock(IntegerKind kind, const std::function<at::Tensor(const std::string&)>& weight, int down,
            int across);

  /// x: [n, height, width, channels] f32, contiguous -> likewise, with the outputs' sizes.
  at::Tensor run(const at::Tensor& x) const;

 private:
  int down_, across_;
  at::Tensor token_, token_bias_;  // [3, 3, channels], [channels]
  at::Tensor squeeze_, squeeze_bias_, excite_, excite_bias_;
  IntegerLayer expand_, reduce_;
};

/// weight: [out, in, 1, 1] or [out, in] f32.
IntegerLayer make_integer_layer(IntegerKind kind, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace docspec::ppocr
