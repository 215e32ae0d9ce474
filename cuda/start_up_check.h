#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/ops.h"

namespace docspec::cuda {

/// What the check attends with: a branching tree behind a prefix so long that, over bf16 caches,
/// both attention kernels have a share.
struct CheckedTree {
  static constexpr int64_t kPrefix = 700, kSlots = 768;
  std::vector<int32_t> parent = {-1, 0, 1, 0, 3, 3}, depth = {0, 1, 2, 1, 2, 2};
};

/// Where the kernels do not say on this device what the reference says, on random numbers:
/// attention over f32 and bf16 caches, recurrent layers and row statistics. Empty: they agree.
std::string disagreement(const Ops& ours, const Ops& reference);
/// The largest difference between recurrent layers: a tree across a boundary, after a commit across
/// another. options: f32.
float recurrent_layers_difference(const Ops& ours, const Ops& reference,
                                  const at::TensorOptions& options);

}  // namespace docspec::cuda
