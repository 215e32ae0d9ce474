#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ops.h"
#include "cuda/phases.h"

namespace docspec::cuda {

/// Keys of a row's path that one block reduces; the parts of a row begin at multiples of it,
/// whatever its neighbours are, so that its bits are its own.
inline constexpr int kSplit = 256;
/// Queries (row and head of a group) that share a block; in tiles, on tensor cores, a warp each 16.
inline constexpr int kQueries = 16, kTileQueries = 64;

/// One job's rows of a pass; offsets are into AttentionTables::ints.
struct TreeJob {
  int32_t rows = 0;
  int32_t first = 0;         ///< the job's row 0 in the pass
  int32_t tree = 0;          ///< slot of its row 0
  int32_t slots = -1;        ///< committed slots seen; -1 = 0, 1, 2, ...
  int32_t slots_stride = 0;  ///< from row to row; 0 = all rows see the same
  int32_t visible = 0;       ///< [rows] how many
  int32_t depth = 0;         ///< [rows]
  int32_t path = 0;          ///< [rows, path_stride] rows of the tree from the root to the row
  int32_t path_stride = 0;   ///< 0 = in tiles, which need no paths but masks:
  int32_t masks = 0;         ///< [rows, mask_words] bit r % 32 of word r / 32: row r is seen
  int32_t mask_words = 0;
};

/// What one block does: some queries of a job, one part of their paths; in tiles the parts of the
/// committed keys come first, then those of the tree's rows.
struct Task {
  int32_t job = 0, query = 0, split = 0;
};

/// Index tables of a pass, worked out once and used in every layer.
struct AttentionTables {
  std::vector<TreeJob> jobs;
  std::vector<int32_t> ints;
  std::vector<Task> tasks;           ///< of TreeAttention
  std::vector<Task> tile_tasks;      ///< of TileAttention
  std::vector<int32_t> split_count;  ///< parts of each row
  int rows = 0;                      ///< of the pass
  int splits = 0;                    ///< most parts of a row

  /// `group`: query heads of a key head. `tiles`: jobs whose rows see the same committed keys are
  /// worked on in tiles.
  AttentionTables(std::span<const AttentionRows> rows, int group, bool tiles = false);

 private:
  void add_paths(const AttentionRows& one, int group);
  void add_masks(const AttentionRows& one, int group);
};

/// The same where a kernel reads it.
struct TableView {
  const TreeJob* jobs = nullptr;
  const int32_t* ints = nullptr;
  const Task* tasks = nullptr;
  const Task* tile_tasks = nullptr;

  /// Keys of a row: those committed that it sees, its ancestors, itself.
  DOCSPEC_HD int length(const TreeJob& job, int row) const {
    return ints[job.visible + row] + ints[job.depth + row] + 1;
  }
  /// Slot of the key at place `at` of the row's path; in tiles, of a committed one.
  DOCSPEC_HD int slot(const TreeJob& job, int row, int at) const {
    const int visible = ints[job.visible + row];
    if (at >= visible) return job.tree + ints[job.path + row * job.path_stride + at - visible];
    return job.slots < 0 ? at : ints[job.slots + row * job.slots_stride + at];
  }
  /// In tiles: whether a row sees row `other` of the tree.
  DOCSPEC_HD bool sees(const TreeJob& job, int row, int other) const {
    return uint32_t(ints[job.masks + row * job.mask_words + other / 32]) >> (other % 32) & 1;
  }
};

}  // namespace docspec::cuda
