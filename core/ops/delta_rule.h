#pragma once

#include "core/ops/delta_rows.h"

namespace docspec {

// The recurrence of a GatedDeltaNet layer over trees of rows: share/doc/recurrent.md. In main
// memory by kernels (core/ops/cpu/cpu_delta.h), elsewhere, and for sizes that they do not take, by
// ATen, row by row: the reference. A GPU's kernels are cuda/recurrent/delta_rule.cuh.

/// Weights of a layer's gates and convolution; f32.
struct DeltaWeights {
  at::Tensor taps;       // [taps, channels], the row itself last
  at::Tensor rate;       // [heads]: -e^A_log
  at::Tensor time_bias;  // [heads]
};

/// The short convolution and silu: [rows, channels] -> the same, f32. Keeps `x` as rows.pass.
at::Tensor convolve(const at::Tensor& x, DeltaRows& rows, const DeltaPlan& plan,
                    const DeltaWeights& weights);

/// The delta rule: writes keys, updates and decays of the pass. qkv: [rows, channels] as convolve
/// returns it; gates: [rows, 2 * heads] f32, beta's and then the decay's logits. Returns [rows,
/// heads * value_dim] f32.
at::Tensor delta_rule(const at::Tensor& qkv, const at::Tensor& gates, DeltaRows& rows,
                      const DeltaPlan& plan, const DeltaShape& shape, const DeltaWeights& weights);

/// Both, for the jobs of a pass, whose rows are packed in their order: Ops::recur.
at::Tensor recur(const at::Tensor& qkv, const at::Tensor& gates, std::span<const DeltaJob> jobs,
                 const DeltaShape& shape, const DeltaWeights& weights);

/// Keeps the rows `path` of the pass after `kept` committed ones, and moves the state to the last
/// boundary.
void commit_delta(DeltaRows& rows, int64_t kept, std::span<const int32_t> path,
                  const DeltaShape& shape);

/// x / (1 + e^-gate), f32; a row's bits do not depend on the number of rows.
at::Tensor sigmoid_product(const at::Tensor& gate, const at::Tensor& x);

/// Both from a row's logits: its step and the log of its decay, [rows, heads] f32.
struct DeltaGates {
  at::Tensor beta, decay;
};
DeltaGates delta_gates(const at::Tensor& gates, const DeltaWeights& weights);

// The reference, for tensors of any device and size.
at::Tensor aten_convolve(const at::Tensor& x, const DeltaRows& rows, const DeltaPlan& plan,
                         const DeltaWeights& weights);
at::Tensor aten_delta_rule(const at::Tensor& qkv, const DeltaGates& gates, DeltaRows& rows,
                           const DeltaPlan& plan, const DeltaShape& shape);
/// The state after the rows at `path`, a chunk of slots, from `state` on.
at::Tensor aten_fold(const at::Tensor& state, const DeltaRows& rows, std::span<const int32_t> path);

}  // namespace docspec
