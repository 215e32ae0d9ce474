#include "core/model/image/patch_rotary.h"

#include <ATen/ATen.h>

#include <vector>

#include "core/model/image/image_processor.h"

namespace docspec {

Rotary patch_rotary(const PatchGrid& grid, int64_t merge, double theta, int64_t head_dim,
                    std::span<const int64_t> order, const at::Tensor& like) {
  const std::vector<float> frequencies = rotary_frequencies(theta, head_dim / 2);
  const int64_t columns = grid.w / merge, blocks = grid.patches() / (merge * merge);
  std::vector<float> angles;
  angles.reserve(size_t(grid.patches()) * frequencies.size() * 2);
  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t block = order.empty() ? b : order[size_t(b)];
    for (int64_t i = 0; i < merge * merge; ++i) {
      const int64_t y = block / columns * merge + i / merge;
      const int64_t x = block % columns * merge + i % merge;
      for (const float f : frequencies) angles.push_back(float(y) * f);
      for (const float f : frequencies) angles.push_back(float(x) * f);
    }
  }
  return make_rotary(angles, grid.patches(), like);
}

}  // namespace docspec
