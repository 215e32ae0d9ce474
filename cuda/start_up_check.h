#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/ops/ops.h"

namespace docspec::cuda {

/// What the check attends with: a branching tree behind a prefix so long that, over bf16 caches,
/// both attention kernels have a share.
struct CheckedTree {
  static constexpr int64_t kPrefix = 700, kSlots = 768;
  std::vector<int32_t> parent = {-1, 0, 1, 0, 3, 3}, depth = {0, 1, 2, 1, 2, 2};
};

/// Whether the kernels say on this device what the reference says: attention over f32 and bf16
/// caches, recurrent layers and row statistics, on random numbers.
bool agree(const Ops& ours, const Ops& reference);
/// Of recurrent layers: a tree across a boundary, after a commit across another. options: f32.
bool agree_on_recurrent_layers(const Ops& ours, const Ops& reference,
                               const at::TensorOptions& options);

}  // namespace docspec::cuda
