#pragma once

// out = softmax(q k^T) v of packed tree rows over their caches, grouped heads.
//
// Inputs    q [rows, heads, dim] f32; keys, values f32 or bf16 (T) in each job's pages; TableView:
//           which slots a row sees, in the order of its path
// Outputs   partials [rows, heads, splits]: largest score, sum of weights, weighted values [dim];
//           MergeParts turns them into out [rows, heads, dim] and the log of the whole sum
// Mapping   TreeAttention: a block = queries of one key head and a part of their paths, which has
// the
//           same keys for all of them: kQueries of several rows where the keys are committed, else
//           those of one row. A thread does some scores, then a column of the values.
//           MergeParts: a block = one row and head, a thread a column
// Shared    a tile of kTile keys and values, the queries, the scores: some
//           2 kTile dim + kQueries (dim + kTile) floats: 44 KB at dim 128, 34 at 256. Keys and
//           scores are padded so that the lanes of a warp, which read a row each, find them in
//           different banks
// Numerics  f32; scores are summed over the head's dimensions in order, the softmax runs online
//           over tiles that begin at multiples of kTile of the path, so that a row's bits are those
//           of its path run linearly, whatever else is in the pass. Far keys are TileAttention's
// Limits    dim <= 256
// Measured  on an H200, as part of a layer: tests/bench/results/gpu.json
// Equals    core/ops/ops_aten_attention.cc
#include <cmath>

#include "cuda/attention_tables.h"
#include "cuda/numbers.cuh"

namespace docspec::cuda {

inline constexpr float kNoScore = -1e30f;

/// Of a block: at least one for each number of a head.
constexpr int threads_of(int dim) {
  return dim > 128 ? 256 : 128;
}

/// Partial states; entry (row, head, split).
struct Parts {
  float* top = nullptr;  ///< largest score, kNoScore where the row has no such part
  float* sum = nullptr;
  float* values = nullptr;  ///< [.., dim]
  int splits = 0;
};

template <int kDim, class T>
struct TreeAttention {
  static constexpr int kThreads = threads_of(kDim), kTile = kDim > 128 ? 8 : 32;

  TableView tables;
  CacheLayer layer;
  const float* q = nullptr;  ///< [rows, heads, kDim]
  float q_scale = 1;
  int heads = 0, kv_heads = 0;
  int part = kSplit;  ///< AttentionTables::part
  Parts parts;

  struct Shared {
    alignas(16) float keys[kTile][kDim + 4], values[kTile][kDim];
    float q[kQueries][kDim], scores[kQueries][kTile + 1];
    float top[kQueries], sum[kQueries], scale[kQueries];
  };
  /// What a block works on: places [begin, end) of the queries' paths.
  struct Place : BlockQueries {
    int begin, end;
  };
  struct Thread {
    Place at;
    float acc[kQueries];  ///< column `thread` of each query's weighted values
  };

  DOCSPEC_HD Place place(const ThreadBlock& block) const {
    const Task task = tables.tasks[block.x];
    Place at{{tables, task, block.y, heads / kv_heads}, task.begin, 0};
    const int length = tables.length(at.job, at.row(0)) - at.begin;
    at.end = at.begin + (length < part ? length : part);
    return at;
  }
  DOCSPEC_HD const T* key_row(const Place& at, int slot) const {
    return tables.cached<T>(at.job, layer.keys, at.head, slot, kDim);
  }
  DOCSPEC_HD const T* value_row(const Place& at, int slot) const {
    return tables.cached<T>(at.job, layer.values, at.head, slot, kDim);
  }

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared& shared,
                        Thread& own) const {
    if (n == 0) {
      if (tables.tasks[block.x].job < 0) return false;
      own.at = place(block);
      begin(own.at, thread, shared, own);
      return true;
    }
    const Place& at = own.at;
    const int tile = (n - 1) / 4, first = at.begin + tile * kTile;
    if (first >= at.end) {
      finish(at, thread, shared, own);
      return false;
    }
    switch ((n - 1) % 4) {
      case 0:
        stage(at, first, thread, shared);
        break;
      case 1:
        score(at, first, thread, shared);
        break;
      case 2:
        soften(at, thread, shared);
        break;
      default:
        add_values(at, first, thread, shared, own);
    }
    return true;
  }

  DOCSPEC_HD void begin(const Place& at, int thread, Shared& shared, Thread& own) const {
    for (int i = 0; i < kQueries; ++i) own.acc[i] = 0;
    for (int i = thread; i < at.count * kDim; i += kThreads)
      shared.q[i / kDim][i % kDim] = q[at.cell(i / kDim, heads) * kDim + i % kDim] * q_scale;
    if (thread < kQueries) {
      shared.top[thread] = kNoScore;
      shared.sum[thread] = 0;
    }
  }

  /// Sixteen bytes a thread and turn; all are asked for before the first is written, so that the
  /// memory is waited for once.
  DOCSPEC_HD void stage(const Place& at, int first, int thread, Shared& shared) const {
    constexpr int kWide = 16 / sizeof(T), kReads = kDim / kWide;  // numbers a read, reads a row
    constexpr int kTurns = (kTile * kReads + kThreads - 1) / kThreads;
    const int keys = at.end - first < kTile ? at.end - first : kTile, reads = keys * kReads;
    Sixteen<T> key[kTurns] = {}, value[kTurns] = {};
    DOCSPEC_UNROLL
    for (int turn = 0; turn < kTurns; ++turn) {
      const int i = thread + turn * kThreads, column = i % kReads * kWide;
      if (i >= reads) break;
      const int slot = tables.slot(at.job, at.row(0), first + i / kReads);
      key[turn] = sixteen(key_row(at, slot) + column);
      value[turn] = sixteen(value_row(at, slot) + column);
    }
    DOCSPEC_UNROLL
    for (int turn = 0; turn < kTurns; ++turn) {
      const int i = thread + turn * kThreads, column = i % kReads * kWide;
      if (i >= reads) break;
      widen(key[turn], shared.keys[i / kReads] + column);
      widen(value[turn], shared.values[i / kReads] + column);
    }
  }

  DOCSPEC_HD void score(const Place& at, int first, int thread, Shared& shared) const {
    for (int i = thread; i < at.count * kTile; i += kThreads) {
      const int query = i / kTile, k = i % kTile;
      const bool seen = first + k < at.end && first >= tables.far(at.job, at.row(query));
      shared.scores[query][k] = seen ? product(shared.q[query], shared.keys[k]) : kNoScore;
    }
  }

  DOCSPEC_HD static float product(const float* query, const float* key) {
    float sum = 0;
    for (int d = 0; d < kDim; ++d) sum = fmaf(query[d], key[d], sum);
    return sum;
  }

  /// Scores of the tile -> weights relative to the largest score so far.
  DOCSPEC_HD void soften(const Place& at, int thread, Shared& shared) const {
    if (thread >= at.count) return;
    float* scores = shared.scores[thread];
    float top = shared.top[thread];
    for (int k = 0; k < kTile; ++k) top = scores[k] > top ? scores[k] : top;
    const float scale = expf(shared.top[thread] - top);
    float sum = shared.sum[thread] * scale;
    for (int k = 0; k < kTile; ++k) {
      scores[k] = scores[k] <= kNoScore ? 0 : expf(scores[k] - top);
      sum += scores[k];
    }
    shared.top[thread] = top;
    shared.sum[thread] = sum;
    shared.scale[thread] = scale;
  }

  DOCSPEC_HD void add_values(const Place& at, int first, int thread, const Shared& shared,
                             Thread& own) const {
    if (thread >= kDim) return;
    DOCSPEC_UNROLL
    for (int i = 0; i < kQueries; ++i)
      if (i < at.count) own.acc[i] *= shared.scale[i];
    const int keys = at.end - first < kTile ? at.end - first : kTile;
    for (int k = 0; k < keys; ++k) {
      const float value = shared.values[k][thread];
      DOCSPEC_UNROLL
      for (int i = 0; i < kQueries; ++i)
        if (i < at.count) own.acc[i] = fmaf(shared.scores[i][k], value, own.acc[i]);
    }
  }

  DOCSPEC_HD void finish(const Place& at, int thread, const Shared& shared,
                         const Thread& own) const {
    DOCSPEC_UNROLL
    for (int i = 0; i < kQueries; ++i) {
      if (i >= at.count) break;
      const int row = at.row(i), far = tables.far(at.job, row);
      if (at.begin < far || at.begin >= tables.length(at.job, row)) continue;  // no part of its own
      const int64_t entry = at.cell(i, heads) * parts.splits + tables.far_parts(at.job, row) +
                            (at.begin - far) / part;
      if (thread < kDim) parts.values[entry * kDim + thread] = own.acc[i];
      if (thread == 0) {
        parts.top[entry] = shared.top[i];
        parts.sum[entry] = shared.sum[i];
      }
    }
  }
};

/// Parts of a row and head, in their order -> out and the log of the sum of e^score; 0 of an empty
/// row. T: what the next product takes.
template <int kDim, class T = float>
struct MergeParts {
  static constexpr int kThreads = threads_of(kDim);

  Parts parts;
  TableView tables;
  T* out = nullptr;          ///< [rows, heads, kDim]
  float* log_sum = nullptr;  ///< [rows, heads]
  int heads = 0;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const int64_t cell = int64_t(block.x) * heads + block.y, first = cell * parts.splits;
    const int n = tables.split_count[block.x];
    float top = kNoScore;
    for (int i = 0; i < n; ++i) top = parts.top[first + i] > top ? parts.top[first + i] : top;
    float sum = 0, value = 0;
    for (int i = 0; i < n; ++i) {
      const float weight = expf(parts.top[first + i] - top);
      sum = fmaf(weight, parts.sum[first + i], sum);
      if (thread < kDim) value = fmaf(weight, parts.values[(first + i) * kDim + thread], value);
    }
    if (thread < kDim) out[cell * kDim + thread] = narrow<T>(n > 0 ? value / sum : 0);
    if (thread == 0) log_sum[cell] = top + logf(sum);
    return false;
  }
};

/// What rows of one job look at: weights of the keys [begin, end) of their paths, averaged over all
/// heads from the saved log of the sum. Block (x, y): keys x * kThreads and further, row y.
template <int kDim, class T>
struct LookedAt {
  static constexpr int kThreads = 128;

  TableView tables;
  CacheLayer layer;
  int job = 0;
  const float* q = nullptr;  ///< of the pass
  float q_scale = 1;
  const float* log_sum = nullptr;  ///< of the pass
  int heads = 0, kv_heads = 0, begin = 0, end = 0;
  float* out = nullptr;  ///< [rows of the job, end - begin]

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const int k = begin + block.x * kThreads + thread, row = block.y;
    if (k >= end) return false;
    const TreeJob& of = tables.jobs[job];
    const int slot = tables.slot(of, row, k), group = heads / kv_heads;
    const int64_t global = of.first + row;
    float total = 0;
    for (int head = 0; head < heads; ++head) {
      const T* key = tables.cached<T>(of, layer.keys, head / group, slot, kDim);
      const float* query = q + (global * heads + head) * kDim;
      float sum = 0;
      for (int d = 0; d < kDim; ++d) sum = fmaf(query[d] * q_scale, wide(key[d]), sum);
      total += expf(sum - log_sum[global * heads + head]);
    }
    out[int64_t(row) * (end - begin) + k - begin] = total / float(heads);
    return false;
  }
};

}  // namespace docspec::cuda
