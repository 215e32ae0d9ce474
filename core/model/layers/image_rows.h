#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "core/ops/layers.h"

namespace docspec {

class Ops;

// Steps of a vision tower's rows, each one step of the device where that has them
// (Ops::fuses_vision). x: [rows, width].

/// Makes the weights of products of the same rows one where the device would rather multiply once.
void join_products(const Ops& ops, std::span<Linear* const> layers);
/// The outputs of products of the same rows, side by side.
at::Tensor side_by_side(const Ops& ops, std::span<const Linear* const> layers, const at::Tensor& x);
at::Tensor normed(const Ops& ops, const RmsNorm& norm, const at::Tensor& x);
at::Tensor gated(const Ops& ops, const SwiGlu& mlp, const at::Tensor& x);

}  // namespace docspec
