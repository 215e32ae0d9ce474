#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "core/model/checkpoint/weights.h"

namespace docspec {

enum class ConvActivation { none, relu, silu, gelu };

/// By its name in a config.json; `key` names it there. Throws Error(dependency).
ConvActivation activation_of(const std::string& name, const std::string& key);
at::Tensor activated(const at::Tensor& x, ConvActivation activation);

/// A convolution with the normalisation after it folded into its weights.
struct ConvLayer {
  at::Tensor weight, bias;  // [out, in, side, side], [out]
  int64_t stride = 1;
  ConvActivation activation = ConvActivation::none;
  at::Tensor operator()(const at::Tensor& x) const;  ///< [n, in, h, w]; zeros around it
};

/// What a ConvLayer is read from.
struct ConvShape {
  int64_t in = 0, out = 0, side = 1, stride = 1;
  ConvActivation activation = ConvActivation::none;
};

/// `conv`.weight without bias, and the four tensors of the batch normalisation `norm`.
ConvLayer read_conv(Weights& weights, const std::string& conv, const std::string& norm,
                    const ConvShape& shape);

/// Multi-head attention of rows to one another. Positions are added to queries and keys.
struct RowAttention {
  Linear query, key, value, out;
  int64_t heads = 1;
  /// x, positions: [rows, width]; undefined positions are none.
  at::Tensor operator()(const at::Tensor& x, const at::Tensor& positions) const;
};

RowAttention read_attention(Weights& weights, const std::string& name, int64_t width,
                            int64_t heads);

}  // namespace docspec
