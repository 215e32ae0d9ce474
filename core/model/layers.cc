#include "core/model/layers.h"

#include <ATen/ATen.h>

#include <cmath>

namespace docspec {

at::Tensor Linear::operator()(const at::Tensor& x) const {
  return at::linear(x, weight, bias);
}

at::Tensor RmsNorm::operator()(const at::Tensor& x) const {
  const at::Tensor wide = x.to(at::kFloat);
  const at::Tensor scale = wide.square().mean(-1, /*keepdim=*/true).add_(eps).rsqrt_();
  return (wide * scale).to(x.scalar_type()).mul_(weight);
}

at::Tensor SwiGlu::operator()(const at::Tensor& x) const {
  // silu(g) = g / (1 + exp(-g)) from its parts: at::silu computes the last few elements of a
  // thread's share with another exp, so that a row's bits would depend on the number of rows.
  const at::Tensor g = gate(x);
  const at::Tensor wide = g.to(at::kFloat);
  const at::Tensor silu = wide / wide.neg().exp_().add_(1);
  return down(silu.to(g.scalar_type()).mul_(up(x)));
}

std::vector<float> rotary_frequencies(double theta, int64_t dim) {
  std::vector<float> out;
  for (int64_t i = 0; i < dim; i += 2)
    out.push_back(1.0f / std::pow(float(theta), float(i) / float(dim)));
  return out;
}

Rotary make_rotary(std::span<const float> angles, int64_t rows, const at::Tensor& like) {
  const int64_t half = rows == 0 ? 0 : int64_t(angles.size()) / rows;
  at::Tensor cos = at::empty({rows, 2 * half}, at::kFloat), sin = at::empty_like(cos);
  float* c = cos.mutable_data_ptr<float>();
  float* s = sin.mutable_data_ptr<float>();
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < half; ++i) {
      const float angle = angles[size_t(row * half + i)];
      const int64_t at = row * 2 * half + i;
      c[at] = c[at + half] = std::cos(angle);
      s[at] = s[at + half] = std::sin(angle);
    }
  return {cos.to(like.device()), sin.to(like.device())};
}

at::Tensor rotate(const at::Tensor& x, const Rotary& rotary) {
  const at::Tensor wide = x.to(at::kFloat);
  const auto halves = wide.chunk(2, -1);
  const at::Tensor turned = at::cat({halves[1].neg(), halves[0]}, -1);
  return wide * rotary.cos.unsqueeze(1) + turned * rotary.sin.unsqueeze(1);
}

}  // namespace docspec
