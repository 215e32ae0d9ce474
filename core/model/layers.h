#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

namespace docspec {

/// y = x W^T + b; an undefined bias is none.
struct Linear {
  at::Tensor weight;  // [out, in]
  at::Tensor bias;    // [out]
  at::Tensor operator()(const at::Tensor& x) const;
};

/// x W^T in f32 whatever the weight's dtype: bf16 logits would tie, and the winner of a tie is
/// luck. x: [rows, in], weight: [out, in] of one dtype; returns [rows, out] f32. On the CPU bf16
/// weights are widened block by block, so that no second copy of them is ever held.
at::Tensor wide_product(const at::Tensor& x, const at::Tensor& weight);

/// Scales each row to unit mean square, computed in f32: weight * (x / rms(x)).
struct RmsNorm {
  at::Tensor weight;  // [d]
  double eps = 1e-6;
  at::Tensor operator()(const at::Tensor& x) const;
};

/// down(silu(gate(x)) * up(x))
struct SwiGlu {
  Linear gate, up, down;
  at::Tensor operator()(const at::Tensor& x) const;
};

/// Cosine and sine of the rotary angles of some rows: both [rows, head_dim] f32, each angle twice
/// (the halves of a head turn together).
struct Rotary {
  at::Tensor cos, sin;
};

/// 1 / theta^(2i / dim) for i < dim / 2, in f32 as the reference computes it.
std::vector<float> rotary_frequencies(double theta, int64_t dim);

/// `angles`: [rows, head_dim / 2], row-major. Computed on the host: a device's own sine would
/// differ in the last bits with the number of rows.
Rotary make_rotary(std::span<const float> angles, int64_t rows, const at::Tensor& like);

/// Turns x: [rows, heads, head_dim] by the rows' angles, in f32. Returns f32.
at::Tensor rotate(const at::Tensor& x, const Rotary& rotary);

}  // namespace docspec
