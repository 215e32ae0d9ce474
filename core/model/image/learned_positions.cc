#include "core/model/image/learned_positions.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/model/image/image_processor.h"
#include "core/ops/transfer.h"

namespace docspec {

at::Tensor learned_positions(const at::Tensor& table, int64_t side, const PatchGrid& grid,
                             int64_t merge) {
  const int64_t columns = grid.w / merge, unit = merge * merge;
  struct Taps {
    int64_t low, high;
    float share;  // of the higher one
  };
  const auto taps = [&](int64_t index, int64_t size) {
    const float at = float(index * (side - 1)) / float(std::max<int64_t>(size - 1, 1));
    const auto low = int64_t(std::floor(at));
    return Taps{low, std::min(low + 1, side - 1), at - float(low)};
  };
  at::Tensor index = at::empty({4, grid.patches()}, at::kLong);
  at::Tensor share = at::empty({4, grid.patches()}, at::kFloat);
  auto i = index.accessor<int64_t, 2>();
  auto s = share.accessor<float, 2>();
  for (int64_t n = 0; n < grid.patches(); ++n) {
    const int64_t block = n / unit, in = n % unit;
    const Taps y = taps(block / columns * merge + in / merge, grid.h);
    const Taps x = taps(block % columns * merge + in % merge, grid.w);
    for (int64_t k = 0; k < 4; ++k) {
      i[k][n] = (k < 2 ? y.low : y.high) * side + (k % 2 == 0 ? x.low : x.high);
      s[k][n] = (k < 2 ? 1 - y.share : y.share) * (k % 2 == 0 ? 1 - x.share : x.share);
    }
  }
  at::Tensor out;
  for (int64_t k = 0; k < 4; ++k) {
    const at::Tensor rows = table.index_select(0, send_to_device(index[k], table.device()));
    const at::Tensor part = rows * send_to_device(share[k].unsqueeze(1), table.device());
    out = out.defined() ? out.add_(part) : part;
  }
  return out.to(table.scalar_type());
}

}  // namespace docspec
