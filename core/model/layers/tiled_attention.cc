#include "core/model/layers/tiled_attention.h"

#include <ATen/ATen.h>

#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {

at::Tensor tiled_attention(const Ops& ops, const at::Tensor& x, int64_t heads, const Rotary& rotary,
                           const std::function<at::Tensor(const at::Tensor& rows)>& qkv) {
  const int64_t width = x.size(1);
  const at::Tensor all = in_tiles(x, [&](const at::Tensor& rows, int64_t first) {
    const int64_t n = rows.size(0);
    const Rotary turn{rotary.cos.narrow(0, first, n), rotary.sin.narrow(0, first, n)};
    at::Tensor parts = qkv(rows).view({n, 3, heads, width / heads});
    if (ops.fuses_vision(parts)) {
      ops.turn_heads(parts, turn);
      return parts;
    }
    return at::stack({rotate_rounded(parts.select(1, 0), turn),
                      rotate_rounded(parts.select(1, 1), turn), parts.select(1, 2)},
                     1);
  });
  const auto by_head = [&](int64_t i) { return all.select(1, i).transpose(0, 1).unsqueeze(0); };
  const at::Tensor out = ops.full_attention(by_head(0), by_head(1), by_head(2));
  return out.squeeze(0).transpose(0, 1).reshape({x.size(0), width});
}

}  // namespace docspec
