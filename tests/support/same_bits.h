#pragma once

#include <ATen/ATen.h>

namespace docspec {

/// Whether two f32 tensors have the same shape and the same bits: NaN equals itself, 0 is not -0.
inline bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return at::equal(a.contiguous().view(at::kInt), b.contiguous().view(at::kInt));
}

}  // namespace docspec
