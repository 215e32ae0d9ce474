#pragma once

#include "cuda/phases.h"

namespace docspec::cuda {

/// Sizes of a layer (DeltaShape).
struct DeltaSizes {
  int heads = 0, key_heads = 0, key_dim = 0, value_dim = 0, taps = 0, chunk = 0;

  DOCSPEC_HD int64_t channels() const {
    return 2 * int64_t(key_heads) * key_dim + int64_t(heads) * value_dim;
  }
  DOCSPEC_HD int group() const { return heads / key_heads; }
};

/// Rows of a pass that follow one boundary (DeltaSegment).
struct DeltaPart {
  int32_t last = 0, before = 0;
  int32_t first = 0, count = 0;  ///< in DeltaJobView::order
};

/// One job's rows of a pass and what it keeps in a layer, where kernels read them.
struct DeltaJobView {
  const int32_t* parent = nullptr;  ///< [rows], -1 for a root
  const int32_t* length = nullptr;  ///< [rows] of each row's path since its boundary
  const int32_t* paths = nullptr;   ///< [rows, chunk] slots of it
  const int32_t* order = nullptr;   ///< [rows], part by part
  const DeltaPart* parts = nullptr;
  int part_count = 0, rows = 0, kept = 0;
  int first = 0;  ///< the job's row 0 in the pass
  int64_t slots = 0;
  const float *state = nullptr, *inputs = nullptr;               ///< as DeltaRows
  float *keys = nullptr, *updates = nullptr, *decays = nullptr;  ///< as DeltaRows
  float* states = nullptr;  ///< [part_count - 1, heads, key_dim, value_dim] after all but part 0

  DOCSPEC_HD int slot(int row) const { return kept + row; }
  /// Slot of place `at` of a row's path, the row itself after its last.
  DOCSPEC_HD int slot_at(int row, int at, int chunk) const {
    return at < length[row] ? paths[int64_t(row) * chunk + at] : slot(row);
  }
};

/// Jobs of one launch: they are passed to it by value.
inline constexpr int kMostDeltaJobs = 16;
struct DeltaPassView {
  DeltaSizes sizes;
  DeltaJobView jobs[kMostDeltaJobs];
};

/// One layer of a commit. The rows that stay go to `to_...`, which may be where they are.
struct DeltaLayerView {
  float *state = nullptr, *inputs = nullptr;
  const float *keys = nullptr, *updates = nullptr, *decays = nullptr;
  const float* pass = nullptr;
  float *to_keys = nullptr, *to_updates = nullptr, *to_decays = nullptr;
  int64_t slots = 0;  ///< before the commit
};

}  // namespace docspec::cuda
