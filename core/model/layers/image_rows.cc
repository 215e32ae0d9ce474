#include "core/model/layers/image_rows.h"

#include <ATen/ATen.h>

#include <array>
#include <vector>

#include "core/ops/ops.h"

namespace docspec {

void join_products(const Ops& ops, std::span<Linear* const> layers) {
  if (ops.fuses_vision(layers[0]->weight)) join(layers);
}

at::Tensor side_by_side(const Ops& ops, std::span<const Linear* const> layers,
                        const at::Tensor& x) {
  if (ops.fuses_vision(x))
    if (const Linear one = joined(layers); one.weight.defined()) return one(x);
  std::vector<at::Tensor> parts;
  for (const Linear* layer : layers) parts.push_back((*layer)(x));
  return parts.size() == 1 ? parts[0] : at::cat(parts, 1);
}

at::Tensor normed(const Ops& ops, const RmsNorm& norm, const at::Tensor& x) {
  return ops.fuses_vision(x) ? ops.rms_norm(x, norm.weight, norm.eps) : norm(x);
}

at::Tensor gated(const Ops& ops, const SwiGlu& mlp, const at::Tensor& x) {
  if (!ops.fuses_vision(x)) return mlp(x);
  return mlp.down(ops.swiglu(side_by_side(ops, std::array{&mlp.gate, &mlp.up}, x)));
}

}  // namespace docspec
