#pragma once

#include <cstdint>
#include <span>

#include "core/ops/layers.h"

namespace docspec {

struct PatchGrid;

/// Rotary angles of an image's patches, those of a patch's row before those of its column, head_dim
/// / 4 each. Patches come merge block by merge block (merge x merge patches, row by row); `order`
/// gives the blocks of the raster in the order in which they are wanted, empty = raster order.
Rotary patch_rotary(const PatchGrid& grid, int64_t merge, double theta, int64_t head_dim,
                    std::span<const int64_t> order, const at::Tensor& like);

}  // namespace docspec
