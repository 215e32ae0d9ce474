#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace docspec {

/// y = x W^T + b; an undefined bias is none. A quantized one has weights of int8, each output's
/// with a scale of their own, or of int4, which stand for some of int8; it takes the rows of x as
/// whole numbers of -127 to 127, each row scaled by itself, and its sums are exact integers.
struct Linear {
  at::Tensor weight;  // [out, in]; of int4 bytes: [out, Int4Blocks of in weights]
  at::Tensor bias;    // [out]
  at::Tensor scale;   // [out] f32, quantized alone
  at::Tensor sums;    // [out] i32, quantized alone: of each output's weights
  at::Tensor operator()(const at::Tensor& x) const;
};

/// x in f32 where ATen would only emulate products of its numbers: of bf16 on a CPU without
/// AVX-512, where they take ten times as long as in f32. Else x.
at::Tensor multipliable(const at::Tensor& x);

/// The whole numbers to which a run's products are rounded.
enum class Quantization { none, int8, int4 };

/// The same product in int8: weights rounded to 127ths of each output's largest; or in int4 where
/// the inputs are whole Int4Blocks, else in int8.
Linear quantized(const Linear& layer, Quantization to = Quantization::int8);

/// Makes the weights and biases of layers with the same input contiguous in memory, so that
/// `joined` can fuse them. Quantized layers stay as they are.
void join(std::span<Linear* const> layers);

/// One fused Linear over layers that are contiguous in memory, with their outputs side by side. Its
/// weight is undefined if they are not contiguous.
Linear joined(std::span<const Linear* const> layers);

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

/// (x - mean) / stddev * weight + bias, per row.
struct LayerNorm {
  at::Tensor weight, bias;  // [d]
  double eps = 1e-6;
  at::Tensor operator()(const at::Tensor& x) const;
};

/// silu(gate) * up, silu in f32; a row's bits do not depend on the number of rows.
at::Tensor silu_product(const at::Tensor& gate, const at::Tensor& up);

/// down(silu(gate(x)) * up(x))
struct SwiGlu {
  Linear gate, up, down;
  at::Tensor operator()(const at::Tensor& x) const;
};

/// f(rows from `first` on) for kTileRows rows of x at a time, joined: what f needs in between, many
/// times the size of x, is there for one tile only. The tiles are always the same, so that results
/// do not depend on the memory at hand.
at::Tensor in_tiles(const at::Tensor& x,
                    const std::function<at::Tensor(const at::Tensor& rows, int64_t first)>& f);
inline constexpr int64_t kTileRows = 1024;

/// Bytes of one row that SwiGlu of this width needs in between: three f32 copies of the gate, and
/// gate, up and their product in the model's numbers.
inline constexpr int64_t swiglu_row_bytes(int64_t width, int64_t element_bytes) {
  return width * (3 * 4 + 3 * element_bytes);
}

/// Cosine and sine of the rotary angles of some rows: both [rows, head_dim] f32, each angle twice
/// (the halves of a head turn together).
struct Rotary {
  at::Tensor cos, sin;
};

/// 1 / theta^(2i / dim) for i < dim / 2, in f32 as the reference computes it.
std::vector<float> rotary_frequencies(double theta, int64_t dim);

/// Ops::rotary by libtorch. In main memory one angle after the other: the sine of a vector's last
/// few would differ in the last bits, and so with the number of rows.
Rotary make_rotary(const at::Tensor& angles, int64_t head_dim);
/// The same of numbers on the host, [rows, head_dim / 2], then sent to where `like` lies.
Rotary make_rotary(std::span<const float> angles, int64_t rows, const at::Tensor& like);

/// Turns x: [rows, heads, head_dim] by the rows' angles, in f32. Returns f32.
at::Tensor rotate(const at::Tensor& x, const Rotary& rotary);
/// The same, rounded to x's numbers.
at::Tensor rotate_rounded(const at::Tensor& x, const Rotary& rotary);

}  // namespace docspec
