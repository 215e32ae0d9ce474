#pragma once

// What a commit does in all recurrent layers of a job: states move to the last boundary that the
// path reaches, the rows after it stay.
//
// Mapping   block.y = layer. FoldStates: a block = kColumns columns of a head's state.
//           KeepDeltaRows: a thread = a column of keys, updates, decays or inputs
// Numerics  FoldStates sums as DeltaColumns does within a pass: the same bits
// Measured  right on an H200; not timed alone (tests/bench/results/gpu.json)
// Equals    commit_delta of core/ops/delta_rule.h
#include "cuda/recurrent/delta_rule.cuh"

namespace docspec::cuda {

/// States after `folds` whole chunks of rows.
struct FoldStates {
  static constexpr int kThreads = 128, kColumns = DeltaColumns::kColumns;

  const DeltaLayerView* layers = nullptr;
  const int32_t* rows = nullptr;  ///< slots of the committed rows since the boundary, in path order
  DeltaSizes sizes;
  int folds = 0;

  struct Shared {
    float since[kMostChunk];
  };
  struct Thread {};

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared& shared,
                        Thread&) const {
    const DeltaLayerView& layer = layers[block.y];
    const int groups = (sizes.value_dim + kColumns - 1) / kColumns;
    const int head = block.x / groups, column = block.x % groups * kColumns + thread % kColumns;
    const int32_t* const chunk = rows + int64_t(n / 2) * sizes.chunk;
    const float* const decays = layer.decays + head * layer.slots;
    const float whole = decays[chunk[sizes.chunk - 1]];
    if (n % 2 == 0) {
      if (thread < sizes.chunk) shared.since[thread] = expf(whole - decays[chunk[thread]]);
      return true;
    }
    if (column < sizes.value_dim) {
      const float* const keys = layer.keys + head / sizes.group() * layer.slots * sizes.key_dim;
      const float* const updates = layer.updates + head * layer.slots * sizes.value_dim + column;
      float* const state = layer.state + int64_t(head) * sizes.key_dim * sizes.value_dim + column;
      for (int64_t i = thread / kColumns; i < sizes.key_dim; i += kThreads / kColumns)
        state[i * sizes.value_dim] = folded(
            state[i * sizes.value_dim], whole, shared.since, sizes.chunk,
            [&](int s) { return chunk[s]; }, keys + i, sizes.key_dim, updates, sizes.value_dim);
    }
    return n / 2 + 1 < folds;
  }
};

/// The rows that stay, to the first slots; and the last ones before the convolution. A thread
/// copies slot after slot, upwards: nothing is overwritten before it was read.
struct KeepDeltaRows {
  static constexpr int kThreads = 128;

  const DeltaLayerView* layers = nullptr;
  const int32_t* rows = nullptr;  ///< [count] slots of those that stay
  const int32_t* path = nullptr;  ///< [added] rows of the pass
  DeltaSizes sizes;
  int64_t slots = 0;  ///< after the commit
  int count = 0, added = 0;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD int64_t columns() const {
    return int64_t(sizes.key_heads) * sizes.key_dim + int64_t(sizes.heads) * sizes.value_dim +
           sizes.heads + sizes.channels();
  }

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const DeltaLayerView& layer = layers[block.y];
    int64_t column = int64_t(block.x) * kThreads + thread;
    if (column < int64_t(sizes.key_heads) * sizes.key_dim) {
      move(layer.keys, layer.slots, layer.to_keys, column, sizes.key_dim);
      return false;
    }
    column -= int64_t(sizes.key_heads) * sizes.key_dim;
    if (column < int64_t(sizes.heads) * sizes.value_dim) {
      move(layer.updates, layer.slots, layer.to_updates, column, sizes.value_dim);
      return false;
    }
    column -= int64_t(sizes.heads) * sizes.value_dim;
    if (column < sizes.heads) {
      move(layer.decays, layer.slots, layer.to_decays, column, 1);
      return false;
    }
    column -= sizes.heads;
    if (column < sizes.channels()) keep_inputs(layer, column);
    return false;
  }

  /// Of [heads, slots, dim]; column: of heads and dim.
  DOCSPEC_HD void move(const float* from, int64_t from_slots, float* to, int64_t column,
                       int dim) const {
    from += column / dim * from_slots * dim + column % dim;
    to += column / dim * slots * dim + column % dim;
    for (int i = 0; i < count; ++i) to[int64_t(i) * dim] = from[int64_t(rows[i]) * dim];
  }

  DOCSPEC_HD void keep_inputs(const DeltaLayerView& layer, int64_t channel) const {
    const int64_t channels = sizes.channels();
    for (int i = 0; i < sizes.taps - 1; ++i) {
      const int at = added + i - (sizes.taps - 1);  // of the path; below 0: of the rows before
      layer.inputs[i * channels + channel] = at >= 0
                                                 ? layer.pass[path[at] * channels + channel]
                                                 : layer.inputs[(added + i) * channels + channel];
    }
  }
};

}  // namespace docspec::cuda
