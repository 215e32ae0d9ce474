#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

namespace docspec {

// The recurrence of a GatedDeltaNet layer over trees of rows, and what a sequence keeps for it:
// share/doc/recurrent.md. In main memory by kernels (core/ops/cpu/cpu_delta.h), elsewhere, and for
// sizes that they do not take, by ATen, row by row: the reference.

/// Sizes of a layer.
struct DeltaShape {
  int64_t heads = 0, key_heads = 0;  ///< heads / key_heads heads share a key head
  int64_t key_dim = 0, value_dim = 0;
  int64_t taps = 0;   ///< rows that the convolution sees
  int64_t chunk = 0;  ///< states are kept at positions that are multiples of it

  int64_t channels() const { return 2 * key_heads * key_dim + heads * value_dim; }
};

/// The rows and the state that a sequence keeps in one layer; all f32. Slots 0, 1, ... of keys,
/// updates and decays are the committed rows since the last boundary, then those of the pass.
struct DeltaRows {
  at::Tensor state;    // [heads, key_dim, value_dim] after the rows before the boundary
  at::Tensor keys;     // [key_heads, slots, key_dim], of unit length
  at::Tensor updates;  // [heads, slots, value_dim]
  at::Tensor decays;   // [heads, slots]: log of the decay since the boundary, with the row's own
  at::Tensor inputs;   // [taps - 1, channels]: the last committed rows before the convolution
  at::Tensor pass;     // [rows of the pass, channels]: likewise
};
/// Of an empty sequence. `like` gives the device.
DeltaRows empty_delta_rows(const DeltaShape& shape, const at::Tensor& like);
/// Bytes of that, with the slots that are held between passes.
int64_t delta_bytes(const DeltaShape& shape);

/// Rows of a pass by the boundary that they follow.
struct DeltaSegment {
  int32_t last = -1;          ///< row before the boundary; -1 = the boundary of the kept state
  int32_t before = -1;        ///< segment of `last`
  std::vector<int32_t> rows;  ///< ascending
};

/// Which rows of a pass see which, in one job; the same in all layers.
struct DeltaPlan {
  int64_t kept = 0;                         ///< committed rows since the boundary
  std::vector<int32_t> parent;              ///< [rows], -1 for a root
  std::vector<DeltaSegment> segments;       ///< a segment stands after the one it continues
  std::vector<std::vector<int32_t>> paths;  ///< [rows] slots since the boundary, in path order

  int64_t rows() const { return int64_t(parent.size()); }
  int32_t slot(int32_t row) const { return int32_t(kept) + row; }
  /// Slots of the path to a boundary, its last row with it.
  std::vector<int32_t> whole_path(int32_t last) const;
};
/// `length`: committed rows; parent: [rows], parent[i] < i.
DeltaPlan plan_delta(int64_t length, int64_t chunk, std::span<const int32_t> parent);

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
