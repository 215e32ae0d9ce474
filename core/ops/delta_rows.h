#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

namespace docspec {

// What a sequence keeps for the recurrence of a GatedDeltaNet layer, and which rows of a pass see
// which: share/doc/recurrent.md.

/// Sizes of a layer.
struct DeltaShape {
  int64_t heads = 0, key_heads = 0;  ///< heads / key_heads heads share a key head
  int64_t key_dim = 0, value_dim = 0;
  int64_t taps = 0;   ///< rows that the convolution sees
  int64_t chunk = 0;  ///< states are kept at positions that are multiples of it

  int64_t channels() const { return 2 * key_heads * key_dim + heads * value_dim; }
  /// Slots that a cache holds between passes.
  int64_t held_slots() const { return 2 * chunk; }
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
/// Room for `slots` slots; the first `kept` stay as they are.
void reserve_slots(DeltaRows& rows, int64_t kept, int64_t slots);

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
  mutable at::Tensor tables;                ///< the same on a device, once its kernels need it

  int64_t rows() const { return int64_t(parent.size()); }
  int32_t slot(int32_t row) const { return int32_t(kept) + row; }
  /// Slots of the path to a boundary, its last row with it.
  std::vector<int32_t> whole_path(int32_t last) const;
};
/// `length`: committed rows; parent: [rows], parent[i] < i.
DeltaPlan plan_delta(int64_t length, int64_t chunk, std::span<const int32_t> parent);

/// One job of a pass, in one layer.
struct DeltaJob {
  DeltaRows* rows = nullptr;
  const DeltaPlan* plan = nullptr;
};

}  // namespace docspec
