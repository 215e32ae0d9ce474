#include "drafts/detector/conv_layer.h"

#include <ATen/ATen.h>

#include "core/model/checkpoint/config_reader.h"

namespace docspec {

ConvActivation activation_of(const std::string& name, const std::string& key) {
  if (name == "relu") return ConvActivation::relu;
  if (name == "silu" || name == "swish") return ConvActivation::silu;
  if (name == "gelu") return ConvActivation::gelu;
  throw_unsupported_config(key + " is '" + name + "'; docspec has relu, silu and gelu");
}

at::Tensor activated(const at::Tensor& x, ConvActivation activation) {
  switch (activation) {
    case ConvActivation::relu:
      return at::relu(x);
    case ConvActivation::silu:
      return at::silu(x);
    case ConvActivation::gelu:
      return at::gelu(x);
    case ConvActivation::none:
      break;
  }
  return x;
}

at::Tensor ConvLayer::operator()(const at::Tensor& x) const {
  return activated(at::conv2d(x, weight, bias, stride, weight.size(2) / 2), activation);
}

ConvLayer read_conv(Weights& weights, const std::string& conv, const std::string& norm,
                    const ConvShape& shape) {
  constexpr double kEpsilon = 1e-5;  // all of the published ones
  ConvLayer layer;
  layer.stride = shape.stride;
  layer.activation = shape.activation;
  const at::Tensor kernel =
      weights.get(conv + ".weight", {shape.out, shape.in, shape.side, shape.side});
  const auto row = [&](const char* end) { return weights.get(norm + end, {shape.out}); };
  const at::Tensor scale = row(".weight"), shift = row(".bias"), mean = row(".running_mean"),
                   variance = row(".running_var");
  if (!weights.faults().empty()) return layer;  // told by Weights::require_all
  const at::Tensor factor = scale * (variance + kEpsilon).rsqrt();
  layer.weight = (kernel * factor.view({-1, 1, 1, 1})).contiguous(at::MemoryFormat::ChannelsLast);
  layer.bias = shift - mean * factor;
  return layer;
}

at::Tensor RowAttention::operator()(const at::Tensor& x, const at::Tensor& positions) const {
  const int64_t rows = x.size(0), width = x.size(1);
  const at::Tensor placed = positions.defined() ? x + positions : x;
  const auto split = [&](const at::Tensor& all) {
    return all.view({1, rows, heads, width / heads}).transpose(1, 2);
  };
  const at::Tensor seen =
      at::scaled_dot_product_attention(split(query(placed)), split(key(placed)), split(value(x)));
  return out(seen.transpose(1, 2).reshape({rows, width}));
}

RowAttention read_attention(Weights& weights, const std::string& name, int64_t width,
                            int64_t heads) {
  const auto linear = [&](const char* part) {
    return weights.linear(name + part, width, width, true);
  };
  return {linear(".q_proj"), linear(".k_proj"), linear(".v_proj"), linear(".out_proj"), heads};
}

}  // namespace docspec
