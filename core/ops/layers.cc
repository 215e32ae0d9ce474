#include "core/ops/layers.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ops/cpu/cpu_int4.h"
#include "core/ops/cpu/cpu_linear.h"
#include "core/ops/cpu/cpu_rows.h"
#include "core/ops/cpu/instruction_set.h"
#include "core/ops/cpu_product.h"
#include "core/ops/transfer.h"

namespace docspec {
namespace {

constexpr int64_t kWideBlock = 256;  // outputs at a time: 1.5 MB of f32 for 1,536 inputs, in cache

/// The memory of the first part and of the others after it as one tensor; undefined if they are not
/// contiguous.
template <class Part>
at::Tensor as_one(std::span<const Linear* const> layers, Part part) {
  const at::Tensor& first = layers[0]->*part;
  if (!first.defined()) return {};
  int64_t rows = 0, end = first.storage_offset();
  for (const Linear* layer : layers) {
    const at::Tensor& x = layer->*part;
    if (!x.defined() || !x.is_contiguous() || !x.is_alias_of(first) || x.storage_offset() != end)
      return {};
    rows += x.size(0);
    end += x.numel();
  }
  auto shape = first.sizes().vec();
  shape[0] = rows;
  return first.as_strided(shape, first.strides());
}

/// Rows of weights, [n, in] f32, as outputs [first, first + n) of int4.
void to_int4(const at::Tensor& wide, Linear& out, int64_t first) {
  const int64_t in = wide.size(1), row = out.weight.size(1);
  const auto* from = wide.const_data_ptr<float>();
  auto* to = out.weight.mutable_data_ptr<uint8_t>();
  auto* scale = out.scale.mutable_data_ptr<float>();
  auto* sums = out.sums.mutable_data_ptr<int32_t>();
  at::parallel_for(0, wide.size(0), 1, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Int4Row kept =
          docspec::to_int4(from + i * in, in, reinterpret_cast<Int4Block*>(to + (first + i) * row));
      scale[first + i] = kept.scale;
      sums[first + i] = kept.sum;
    }
  });
}

/// Whether rows of x are bf16 in main memory: there ATen takes a pass through memory for each small
/// step, and several copies in f32.
bool takes_rows(const at::Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kBFloat16;
}

const uint16_t* bits_of(const at::Tensor& x) {
  return reinterpret_cast<const uint16_t*>(x.const_data_ptr<at::BFloat16>());
}

/// x, [..., d], as [rows, d]; each row lies together.
at::Tensor rows_of(const at::Tensor& x) {
  const at::Tensor rows = x.reshape({-1, x.size(-1)});
  return rows.stride(1) == 1 ? rows : rows.contiguous();
}

/// Calls f(row, number of the row, out) on each row of x, widened to f32; returns the outs, rounded
/// to bf16. x: [..., d].
template <class F>
at::Tensor by_rows(const at::Tensor& x, const F& f) {
  constexpr int64_t kRowsOfThread = 64;
  const int64_t d = x.size(-1);
  const at::Tensor rows = rows_of(x);
  at::Tensor out = at::empty(x.sizes(), x.options());
  auto* const to = reinterpret_cast<uint16_t*>(out.mutable_data_ptr<at::BFloat16>());
  at::parallel_for(0, rows.size(0), kRowsOfThread, [&](int64_t begin, int64_t end) {
    std::vector<float> wide(size_t(2 * d));
    for (int64_t row = begin; row < end; ++row) {
      cpu_widen(bits_of(rows) + row * rows.stride(0), d, wide.data());
      f(wide.data(), row, wide.data() + d);
      cpu_round(wide.data() + d, d, to + row * d);
    }
  });
  return out;
}

}  // namespace

void join(std::span<Linear* const> layers) {
  for (const auto part : {&Linear::weight, &Linear::bias}) {
    std::vector<at::Tensor> apart;
    for (const Linear* layer : layers)
      if ((layer->*part).defined() && !layer->scale.defined()) apart.push_back(layer->*part);
    if (apart.size() != layers.size()) return;
    const at::Tensor all = at::cat(apart);
    int64_t first = 0;
    for (Linear* layer : layers) {
      const int64_t n = (layer->*part).size(0);
      layer->*part = all.narrow(0, first, n);
      first += n;
    }
  }
}

Linear joined(std::span<const Linear* const> layers) {
  Linear out;
  if (layers.size() < 2 || layers[0]->scale.defined()) return out;
  bool biased = false;
  for (const Linear* layer : layers) biased |= layer->bias.defined();
  if (biased) out.bias = as_one(layers, &Linear::bias);
  if (!biased || out.bias.defined()) out.weight = as_one(layers, &Linear::weight);
  return out;
}

at::Tensor multipliable(const at::Tensor& x) {
  const bool emulated =
      x.is_cpu() && x.scalar_type() == at::kBFloat16 && instruction_set() != InstructionSet::avx512;
  return emulated ? x.to(at::kFloat) : x;
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  const bool ours =
      weight.is_cpu() && weight.is_contiguous() &&
      (scale.defined() || (weight.scalar_type() == at::kBFloat16 && multiplies_tiles()));
  const bool emulated =
      !ours && multipliable(weight.narrow(0, 0, 1)).scalar_type() != weight.scalar_type();
  if (!ours && !emulated) return at::linear(x, weight, bias);
  auto shape = x.sizes().vec();
  shape.back() = weight.size(0);
  const at::Tensor rows = x.reshape({-1, x.size(-1)}).to(at::kFloat).contiguous();
  if (emulated) {
    const at::Tensor out = wide_product(rows, weight);
    return (bias.defined() ? out.add_(bias) : out).to(x.scalar_type()).view(shape);
  }
  return cpu_product(rows, std::array{this}).to(x.scalar_type()).view(shape);
}

Linear quantized(const Linear& layer, Quantization to) {
  if (!layer.weight.defined()) return layer;
  const int64_t outputs = layer.weight.size(0), in = layer.weight.size(1);
  const bool int4 = to == Quantization::int4 && in % kInt4Block == 0;
  const int64_t width = int4 ? in / kInt4Block * int64_t(sizeof(Int4Block)) : in;
  Linear out;
  out.bias = layer.bias;
  out.weight =
      at::empty({outputs, width}, layer.weight.options().dtype(int4 ? at::kByte : at::kChar));
  out.scale = at::empty({outputs}, layer.weight.options().dtype(at::kFloat));
  out.sums = at::empty_like(out.scale, out.scale.options().dtype(at::kInt));
  if (layer.weight.is_meta()) return out;  // shapes alone were asked for
  for (int64_t first = 0; first < outputs; first += kTileRows) {
    const int64_t n = std::min(kTileRows, outputs - first);
    const at::Tensor wide = layer.weight.narrow(0, first, n).to(at::kFloat).contiguous();
    if (int4) {
      to_int4(wide, out, first);
      continue;
    }
    const at::Tensor largest = wide.abs().amax(1, /*keepdim=*/true);
    const at::Tensor whole = at::where(largest > 0, wide * (kLargestInt8 / largest), 0).round_();
    out.weight.narrow(0, first, n).copy_(whole);
    out.scale.narrow(0, first, n).copy_(largest.squeeze(1) / kLargestInt8);
    out.sums.narrow(0, first, n).copy_(whole.sum(1));
  }
  return out;
}

at::Tensor wide_product(const at::Tensor& x, const at::Tensor& weight) {
  if (weight.scalar_type() == at::kFloat) return at::linear(x, weight);
  if (!weight.is_cpu()) return at::mm(x, weight.t(), at::kFloat);
  const int64_t outputs = weight.size(0), block = std::min(kWideBlock, outputs);
  const at::Tensor wide = x.to(at::kFloat);
  at::Tensor out = at::empty({x.size(0), outputs}, wide.options());
  at::parallel_for(0, (outputs + block - 1) / block, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      // The last block reaches back to its full width: every product has the same shape, which is
      // the one that the row padding's self-check has seen.
      const int64_t first = std::min(i * block, outputs - block), known = i * block - first;
      const at::Tensor part = at::mm(wide, weight.narrow(0, first, block).to(at::kFloat).t());
      out.narrow(1, first + known, block - known).copy_(part.narrow(1, known, block - known));
    }
  });
  return out;
}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  return at::layer_norm(x, weight.sizes(), weight, bias, eps);
}

at::Tensor RmsNorm::operator()(const at::Tensor& x) const {
  if (takes_rows(x)) {
    const at::Tensor factors = weight.to(at::kFloat);
    return by_rows(x,
                   [&, w = factors.const_data_ptr<float>()](const float* row, int64_t, float* out) {
                     cpu_rms_norm(row, w, x.size(-1), float(eps), out);
                   });
  }
  const at::Tensor wide = x.to(at::kFloat);
  const at::Tensor scale = wide.square().mean(-1, /*keepdim=*/true).add_(eps).rsqrt_();
  return (wide * scale).to(x.scalar_type()).mul_(weight);
}

at::Tensor silu_product(const at::Tensor& gate, const at::Tensor& up) {
  if (takes_rows(gate)) {
    const int64_t d = gate.size(-1);
    const at::Tensor other = rows_of(up);
    return by_rows(gate, [&](const float* row, int64_t i, float* out) {
      cpu_widen(bits_of(other) + i * other.stride(0), d, out);
      cpu_swiglu(row, out, d, out);
    });
  }
  // silu(g) = g / (1 + exp(-g)) from its parts: at::silu computes the last few elements of a
  // thread's share with another exp, so that a row's bits would depend on the number of rows.
  const at::Tensor wide = gate.to(at::kFloat);
  const at::Tensor silu = wide / wide.neg().exp_().add_(1);
  return silu.to(gate.scalar_type()).mul_(up);
}

at::Tensor SwiGlu::operator()(const at::Tensor& x) const {
  const at::Tensor g = gate(x);
  return down(silu_product(g, up(x)));
}

at::Tensor in_tiles(const at::Tensor& x,
                    const std::function<at::Tensor(const at::Tensor& rows, int64_t first)>& f) {
  // A GPU has the memory, and each tile would cost it the start of a dozen kernels.
  const int64_t rows = x.size(0), most = x.is_cpu() ? kTileRows : 32 * kTileRows;
  if (rows <= most) return f(x, 0);
  at::Tensor out;
  for (int64_t first = 0; first < rows; first += most) {
    const int64_t n = std::min(most, rows - first);
    const at::Tensor part = f(x.narrow(0, first, n), first);
    if (!out.defined()) {
      auto shape = part.sizes().vec();
      shape[0] = rows;
      out = at::empty(shape, part.options());
    }
    out.narrow(0, first, n).copy_(part);
  }
  return out;
}

std::vector<float> rotary_frequencies(double theta, int64_t dim) {
  std::vector<float> out;
  for (int64_t i = 0; i < dim; i += 2)
    out.push_back(1.0f / std::pow(float(theta), float(i) / float(dim)));
  return out;
}

Rotary make_rotary(const at::Tensor& angles, int64_t head_dim) {
  const int64_t rows = angles.size(0), width = angles.size(1);
  if (!angles.is_cpu()) {
    const auto both = [&](const at::Tensor& x) {
      return width == head_dim ? x : at::cat({x, x}, 1);
    };
    return {both(angles.cos()), both(angles.sin())};
  }
  const at::Tensor from = angles.contiguous();
  at::Tensor cos = at::empty({rows, head_dim}, at::kFloat), sin = at::empty_like(cos);
  const auto* of = from.const_data_ptr<float>();
  float* c = cos.mutable_data_ptr<float>();
  float* s = sin.mutable_data_ptr<float>();
  for (int64_t row = 0; row < rows; ++row, of += width, c += head_dim, s += head_dim)
    for (int64_t i = 0; i < width; ++i) {
      c[i] = c[head_dim - width + i] = std::cos(of[i]);
      s[i] = s[head_dim - width + i] = std::sin(of[i]);
    }
  return {cos, sin};
}

Rotary make_rotary(std::span<const float> angles, int64_t rows, const at::Tensor& like) {
  const int64_t half = rows == 0 ? 0 : int64_t(angles.size()) / rows;
  const Rotary out = make_rotary(
      at::from_blob(const_cast<float*>(angles.data()), {rows, half}, at::kFloat), 2 * half);
  return {send_to_device(out.cos, like.device()), send_to_device(out.sin, like.device())};
}

at::Tensor rotate(const at::Tensor& x, const Rotary& rotary) {
  const at::Tensor wide = x.to(at::kFloat);
  const auto halves = wide.chunk(2, -1);
  const at::Tensor turned = at::cat({halves[1].neg(), halves[0]}, -1);
  return wide * rotary.cos.unsqueeze(1) + turned * rotary.sin.unsqueeze(1);
}

at::Tensor rotate_rounded(const at::Tensor& x, const Rotary& rotary) {
  if (!takes_rows(x)) return rotate(x, rotary).to(x.scalar_type());
  const int64_t heads = x.size(1), dim = x.size(2);
  const auto* cos = rotary.cos.const_data_ptr<float>();
  const auto* sin = rotary.sin.const_data_ptr<float>();
  return by_rows(x.flatten(1),
                 [=](const float* row, int64_t i, float* out) {
                   cpu_rotate(row, cos + i * dim, sin + i * dim, heads, dim, out);
                 })
      .view(x.sizes());
}

}  // namespace docspec
