#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace docspec {

/// The attention weights of the rows of a pass, for callers of `attention` that ask for them.
struct AttentionWeights {
  /// Of one job: keys [begin, end) in the order in which its rows see the committed ones.
  struct Range {
    int64_t begin = 0, end = 0;
  };
  /// Per job; an empty one is not answered. All rows see the same slots at these places.
  std::vector<Range> ranges;
  /// Per job the weights after the softmax, averaged over all query heads: [rows, end - begin] f32;
  /// undefined if the range is empty.
  std::vector<at::Tensor> weights;
};

}  // namespace docspec
