#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ops/ops.h"
#include "cuda/phases.h"

namespace docspec::cuda {

/// Keys of a row's path that one block reduces; the parts of a row begin at multiples of it,
/// whatever its neighbours are, so that its bits are its own.
inline constexpr int kSplit = 256;
/// Queries (row and head of a group) that share a block, where all of them see all of its keys; a
/// part that holds keys of the tree is read for the queries of one row at a time.
inline constexpr int kQueries = 16;

/// With tensor cores a row's far keys go through tiles: of a path of n keys the first n - kNear,
/// rounded down to whole tiles, a number that follows from the row's place alone. They are all
/// committed where no tree is more than kNear deep, and in a chain lie one after the other; the
/// rows of a deeper tree have none. The near ones follow in parts of kNearSplit.
inline constexpr int kNear = 256, kNearSplit = 64;
inline constexpr int kTileKeys = 64, kTileQueries = 64;
static_assert(kSplit % kTileKeys == 0 && kTileKeys % kNearSplit == 0);

/// Tables are sized for at least so many rows and so long a context.
inline constexpr int kLeastBucket = 8, kLeastContext = 8192;

/// Slots of a page of a cache: [layers, 2 (keys, values), kv_heads, kPage, dim].
inline constexpr int kPage = int(kAttentionBlock);
static_assert(kPage % kTileKeys == 0);

/// One job's rows of a pass; offsets are into AttentionTables::ints.
struct TreeJob {
  int32_t rows = 0;
  int32_t first = 0;         ///< the job's row 0 in the pass
  int32_t tree = 0;          ///< slot of its row 0
  int32_t slots = -1;        ///< committed slots seen; -1 = 0, 1, 2, ...
  int32_t slots_stride = 0;  ///< from row to row; 0 = all rows see the same
  int32_t visible = 0;       ///< [rows] how many
  int32_t depth = 0;         ///< [rows]
  int32_t far = 0;           ///< [rows] keys that go through tiles
  /// [rows, path_stride] rows of the tree from the root to the row; -1 = 0, 1, 2, ...
  int32_t path = -1;
  int32_t path_stride = 0;
  int32_t pages = 0;  ///< its first page in AttentionTables::pages
};

/// The work of one block: `count` queries of a job, and one part of their paths; nothing if there
/// is no job.
struct Task {
  int32_t job = 0, query = 0, count = 0;
  int32_t begin = 0;  ///< place in the path
};

/// The use of tables: attention, with or without far keys of a job that all its rows see through
/// tiles; or only the positions of the rows in the caches.
enum class TableUse { paths, tiles, places };

/// AttentionTables where a kernel reads them.
struct TableView {
  const TreeJob* jobs = nullptr;
  const int32_t* ints = nullptr;
  const Task* tasks = nullptr;
  const Task* tile_tasks = nullptr;
  const int32_t* split_count = nullptr;
  const int32_t* job_of_row = nullptr;
  void* const* pages = nullptr;

  /// Row of a head's keys or values; `at`: where these begin in a page (CacheLayer).
  template <class T>
  DOCSPEC_HD T* cached(const TreeJob& job, int64_t at, int head, int slot, int dim) const {
    return static_cast<T*>(pages[job.pages + slot / kPage]) + at +
           (int64_t(head) * kPage + slot % kPage) * dim;
  }
  /// Keys of a row: those committed that it sees, its ancestors, itself.
  DOCSPEC_HD int length(const TreeJob& job, int row) const {
    return ints[job.visible + row] + ints[job.depth + row] + 1;
  }
  /// Slot of the key at place `at` of the row's path.
  DOCSPEC_HD int slot(const TreeJob& job, int row, int at) const {
    const int visible = ints[job.visible + row];
    if (at >= visible)
      return job.tree +
             (job.path < 0 ? at - visible : ints[job.path + row * job.path_stride + at - visible]);
    return job.slots < 0 ? at : ints[job.slots + row * job.slots_stride + at];
  }
  /// Keys of a row that go through tiles, and how many parts they make.
  DOCSPEC_HD int far(const TreeJob& job, int row) const { return ints[job.far + row]; }
  DOCSPEC_HD int far_parts(const TreeJob& job, int row) const {
    return (far(job, row) + kSplit - 1) / kSplit;
  }
};

/// Index tables of a pass, worked out once and used in every layer.
struct AttentionTables {
  std::vector<TreeJob> jobs;
  std::vector<int32_t> ints;
  std::vector<Task> tasks;           ///< of TreeAttention
  std::vector<Task> tile_tasks;      ///< of TileAttention, in parts of kSplit
  std::vector<int32_t> split_count;  ///< parts of each row
  std::vector<int32_t> job_of_row;   ///< -1 for an empty one
  std::vector<void*> pages;          ///< of all jobs
  int part = 0;                      ///< keys of a part of TreeAttention
  int rows = 0;                      ///< of the pass
  int splits = 0;                    ///< most parts of a row
  int group = 1;                     ///< query heads of a key head

  AttentionTables(std::span<const AttentionRows> rows, int of_group,
                  TableUse use = TableUse::paths);

  /// Empty rows up to `count`, and empty entries up to what passes of as many rows and jobs (each
  /// rounded up to a power of two) can need after as long a context, which is rounded up likewise,
  /// from kLeastContext on: their tables have one size, so that what was recorded of one pass does
  /// for all of them.
  void pad(int count);
  /// For kernels on the host.
  TableView view() const;

 private:
  size_t most_tasks(int bucket, int context, int jobs) const;
  void add_rows(const AttentionRows& one, bool tiles);
  void add_slots(const AttentionRows& one);
  void add_tasks();
};

/// A layer of a cache: where its keys and its values begin in each page, in numbers.
struct CacheLayer {
  int64_t keys = 0, values = 0;

  CacheLayer() = default;
  CacheLayer(int64_t layer, int64_t kv_heads, int64_t dim)
      : keys(2 * layer * kv_heads * kPage * dim), values(keys + kv_heads * kPage * dim) {}
};

/// The queries that one block works on, those of a job from `first` on, for one key head.
struct BlockQueries {
  TreeJob job;
  int index = 0;  ///< of the job
  int head = 0;   ///< of the keys
  int group = 0, first = 0, count = 0;

  BlockQueries() = default;
  DOCSPEC_HD BlockQueries(const TableView& tables, const Task& task, int key_head, int of_group)
      : job(tables.jobs[task.job]),
        index(task.job),
        head(key_head),
        group(of_group),
        first(task.query),
        count(task.count) {}
  /// The job's row of the block's query i.
  DOCSPEC_HD int row(int i) const { return (first + i) / group; }
  /// The pass's row and query head of it, as one number.
  DOCSPEC_HD int64_t cell(int i, int heads) const {
    return int64_t(job.first + row(i)) * heads + head * group + (first + i) % group;
  }
};

}  // namespace docspec::cuda
