#pragma once

#include <cstdint>
#include <span>

namespace at {
class Tensor;
}

namespace docspec {

struct PatchGrid;

/// Rotary angles of an image's patches, [patches, head_dim / 2] where `like` lies: those of a
/// patch's row before those of its column, head_dim / 4 each. Patches come merge block by merge
/// block (merge x merge patches, row by row); `order` gives the blocks of the raster in the order
/// in which they are wanted, empty = raster order.
at::Tensor patch_angles(const PatchGrid& grid, int64_t merge, double theta, int64_t head_dim,
                        std::span<const int64_t> order, const at::Tensor& like);

}  // namespace docspec
