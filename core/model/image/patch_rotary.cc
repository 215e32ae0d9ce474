#include "core/model/image/patch_rotary.h"

#include <ATen/ATen.h>

#include "core/model/image/image_processor.h"
#include "core/ops/layers.h"
#include "core/ops/transfer.h"

namespace docspec {

at::Tensor patch_angles(const PatchGrid& grid, int64_t merge, double theta, int64_t head_dim,
                        std::span<const int64_t> order, const at::Tensor& like) {
  const int64_t columns = grid.w / merge, blocks = grid.patches() / (merge * merge);
  at::Tensor places = at::empty({grid.patches(), 2, 1}, at::kFloat);  // a patch's row and column
  auto* place = places.mutable_data_ptr<float>();
  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t block = order.empty() ? b : order[size_t(b)];
    for (int64_t i = 0; i < merge * merge; ++i) {
      *place++ = float(block / columns * merge + i / merge);
      *place++ = float(block % columns * merge + i % merge);
    }
  }
  const at::Tensor frequencies = at::tensor(rotary_frequencies(theta, head_dim / 2));
  return (send_to_device(places, like.device()) * send_to_device(frequencies, like.device()))
      .flatten(1);
}

}  // namespace docspec
