#pragma once

#include <ATen/ATen.h>

#include "core/model/checkpoint/weights.h"

namespace docspec::test {

/// Weights of the right shapes without numbers.
class ShapesAlone : public Weights {
 public:
  explicit ShapesAlone(const Checkpoint& checkpoint)
      : Weights(checkpoint, at::kBFloat16, at::kMeta) {}
  at::Tensor get(const std::string& name, const std::vector<int64_t>& shape) override {
    Weights::get(name, shape);
    return at::empty(shape, at::TensorOptions(at::kBFloat16).device(at::kMeta));
  }
};

}  // namespace docspec::test
