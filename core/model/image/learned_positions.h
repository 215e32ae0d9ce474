#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

namespace docspec {

struct PatchGrid;

/// Learned positions of an image's patches, bilinear between the corners of a square grid. table:
/// [side * side, width]; returns [patches, width], merge block by merge block (merge x merge
/// patches, row by row); merge 1 = raster order.
at::Tensor learned_positions(const at::Tensor& table, int64_t side, const PatchGrid& grid,
                             int64_t merge);

}  // namespace docspec
