#pragma once

// What packed tree rows see in their far keys (attention_tables.h), over bf16 caches, on tensor
// cores; TreeAttention does the near ones, MergeParts brings both together.
//
// Inputs    q [rows, heads, dim] f32; keys, values bf16 in each job's pages; TableView: the
//           committed slots, of which a row sees its first `far` ones here
// Outputs   partials [rows, heads, splits], as TreeAttention's
// Mapping   a block = kTileQueries queries of one key head and kSplit keys, a warp each 16 queries;
//           heads of more than 128 have two warps for them, each with half the columns of the
//           values (both have all scores: their queries and the whole sum would not fit into
//           registers). A tile of kTileKeys keys is read once for all queries, and nothing of it is
//           hidden but from rows that see none of it
// Shared    a tile of keys and values, rows 16 bytes longer than they are: 34 KB at dim 128 or 256
// Numerics  q, weights bf16, products summed in f32, softmax f32 and online over tiles; a row's
//           bits are its own, as in TreeAttention
// Limits    dim a multiple of 16, <= 256
// Measured  with TreeAttention: see there
// Equals    core/ops/ops_aten_attention.cc to 2e-2
#include "cuda/lanes.h"
#include "cuda/tree_attention.cuh"

namespace docspec::cuda {

template <int kDim>
struct TileAttention {
  static constexpr int kThreads = threads_of(kDim), kTile = kDim > 128 ? 32 : kTileKeys;
  static constexpr int kWarps = kTileQueries / 16;              // that differ in their queries
  static constexpr int kWords = kDim / 2, kPitch = kWords + 4;  // of a row, in words of two numbers
  static constexpr int kSteps = kDim / 16;                      // of a product along the head
  static constexpr int kColumns = kDim / 8 / (kThreads / 32 / kWarps), kKeyColumns = kTile / 8;

  TableView tables;
  CacheLayer layer;
  const float* q = nullptr;  ///< [rows, heads, kDim]
  float q_scale = 1;
  int heads = 0, kv_heads = 0;
  Parts parts;

  struct alignas(16) Four {
    uint32_t word[4];
  };
  struct alignas(16) Shared {
    uint32_t keys[kTile][kPitch], values[kTile][kPitch];
  };
  /// What a block works on: keys [begin, end) of those that its queries see.
  struct Place : BlockQueries {
    int begin, end;
  };
  /// Of rows g and g + 8 of the warp: their queries, a tile's scores and then weights, the weighted
  /// values (lanes.h says which columns), the largest score of the part and of the tile, the sum.
  struct Thread {
    Place at;
    int far[2];  ///< keys that the query has here, 0 for none
    LeftPart q[kSteps];
    float weight[kKeyColumns][4], value[kColumns][4];
    float top[2], tile_top[2], sum[2];
  };
  using Lanes = cuda::Lanes<Thread>;

  DOCSPEC_HD Place place(const ThreadBlock& block) const {
    const Task task = tables.tile_tasks[block.x];
    Place at{{tables, task, block.y, heads / kv_heads}, task.begin, 0};
    for (int row = at.row(0); row <= at.row(at.count - 1); ++row) {
      const int far = tables.far(at.job, row);
      at.end = far > at.end ? far : at.end;
    }
    if (at.end > at.begin + kSplit) at.end = at.begin + kSplit;
    return at;
  }

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared& shared, Thread& own,
                        const Lanes& warp) const {
    if (n == 0) {
      if (tables.tile_tasks[block.x].job < 0) return false;
      own.at = place(block);
      begin(thread, own);
      return true;
    }
    const int tile = (n - 1) / 4, first = own.at.begin + tile * kTile;
    if (first >= own.at.end) {
      finish(thread, own, warp);
      return false;
    }
    switch ((n - 1) % 4) {
      case 0:
        stage(own.at, first, thread, shared);
        break;
      case 1:
        score(first, thread, shared, own, warp);
        break;
      case 2:
        soften(thread, own, warp);
        break;
      default:
        add_values(thread, shared, own, warp);
    }
    return true;
  }

  /// Which of the block's queries is row g (side 0) or g + 8 (side 1) of this lane's warp.
  DOCSPEC_HD static int query_of(int thread, int side) {
    return thread / 32 % kWarps * 16 + thread % 32 / 4 + 8 * side;
  }
  DOCSPEC_HD static bool idle(const Thread& own, int thread) {  // the whole warp
    return thread / 32 % kWarps * 16 >= own.at.count;
  }
  /// The first of its columns of the values.
  DOCSPEC_HD static int first_column(int thread) { return thread / 32 / kWarps * kColumns * 8; }

  DOCSPEC_HD void begin(int thread, Thread& own) const {
    const int t = thread % 4;
    DOCSPEC_UNROLL
    for (int side = 0; side < 2; ++side) {
      own.top[side] = kNoScore;
      own.sum[side] = 0;
      const int query = query_of(thread, side);
      const bool there = query < own.at.count;
      own.far[side] = there ? tables.far(own.at.job, own.at.row(query)) : 0;
      const float* row = q + (there ? own.at.cell(query, heads) : 0) * kDim;
      DOCSPEC_UNROLL
      for (int i = 0; i < 2 * kSteps; ++i) {
        const float* x = row + 8 * i + 2 * t;
        own.q[i / 2].word[side + 2 * (i % 2)] = there ? pack(x[0] * q_scale, x[1] * q_scale) : 0;
      }
    }
    DOCSPEC_UNROLL
    for (int i = 0; i < 4 * kColumns; ++i) own.value[i / 4][i % 4] = 0;
  }

  /// Sixteen bytes a thread and turn; those of four turns are asked for before the first is
  /// written, so that the memory is waited for twice a tile, not at each turn. Tiles are whole:
  /// `far` is a multiple of theirs.
  DOCSPEC_HD void stage(const Place& at, int first, int thread, Shared& shared) const {
    constexpr int kFours = kWords / 4, kTurns = kTile * kFours / kThreads;
    constexpr int kTogether = kTurns < 4 ? kTurns : 4;
    static_assert(kTile * kFours % kThreads == 0);
    DOCSPEC_UNROLL
    for (int begin = 0; begin < kTurns; begin += kTogether) {
      Four keys[kTogether], values[kTogether];
      DOCSPEC_UNROLL
      for (int turn = 0; turn < kTogether && begin + turn < kTurns; ++turn) {
        const int i = thread + (begin + turn) * kThreads,
                  slot = tables.slot(at.job, 0, first + i / kFours);
        const auto four = [&](int64_t side) {
          const Bfloat16* row = tables.cached<const Bfloat16>(at.job, side, at.head, slot, kDim);
          return *reinterpret_cast<const Four*>(row + i % kFours * 8);
        };
        keys[turn] = four(layer.keys);
        values[turn] = four(layer.values);
      }
      DOCSPEC_UNROLL
      for (int turn = 0; turn < kTogether && begin + turn < kTurns; ++turn) {
        const int i = thread + (begin + turn) * kThreads;
        *reinterpret_cast<Four*>(&shared.keys[i / kFours][i % kFours * 4]) = keys[turn];
        *reinterpret_cast<Four*>(&shared.values[i / kFours][i % kFours * 4]) = values[turn];
      }
    }
  }

  DOCSPEC_HD void score(int first, int thread, const Shared& shared, Thread& own,
                        const Lanes& warp) const {
    if (idle(own, thread)) return;
    const int lane = thread % 32;
    own.tile_top[0] = own.tile_top[1] = kNoScore;
    DOCSPEC_UNROLL
    for (int column = 0; column < kKeyColumns; ++column) {
      float(&sum)[4] = own.weight[column];
      DOCSPEC_UNROLL
      for (int j = 0; j < 4; ++j) sum[j] = 0;
      DOCSPEC_UNROLL
      for (int step = 0; step < kSteps; ++step)
        multiply(
            sum, lane, [&](int l) { return warp.of(l, own).q[step]; },
            [&](int l) {
              const uint32_t* key = shared.keys[8 * column + l / 4] + 8 * step + l % 4;
              return RightPart{{key[0], key[4]}};
            });
      DOCSPEC_UNROLL
      for (int j = 0; j < 4; ++j) {
        const int side = j / 2;
        if (first >= own.far[side]) sum[j] = kNoScore;
        if (sum[j] > own.tile_top[side]) own.tile_top[side] = sum[j];
      }
    }
  }

  /// Scores of the tile -> weights relative to the largest score so far.
  DOCSPEC_HD void soften(int thread, Thread& own, const Lanes& warp) const {
    if (idle(own, thread)) return;
    DOCSPEC_UNROLL
    for (int side = 0; side < 2; ++side) {
      const float tile_top = warp.over_quad(
          thread % 32, own, [&](const Thread& lane) { return lane.tile_top[side]; },
          [](float a, float b) { return a > b ? a : b; });
      const float top = tile_top > own.top[side] ? tile_top : own.top[side];
      const float less = expf(own.top[side] - top);
      own.top[side] = top;
      own.sum[side] *= less;
      DOCSPEC_UNROLL
      for (int i = 0; i < 2 * kKeyColumns; ++i) {
        float& weight = own.weight[i / 2][2 * side + i % 2];
        weight = weight <= kNoScore ? 0 : expf(weight - top);
        own.sum[side] += weight;
      }
      DOCSPEC_UNROLL
      for (int i = 0; i < 2 * kColumns; ++i) own.value[i / 2][2 * side + i % 2] *= less;
    }
  }

  DOCSPEC_HD void add_values(int thread, const Shared& shared, Thread& own,
                             const Lanes& warp) const {
    if (idle(own, thread)) return;
    DOCSPEC_UNROLL
    for (int step = 0; step < kTile / 16; ++step) {
      DOCSPEC_UNROLL
      for (int column = 0; column < kColumns; ++column)
        multiply(
            own.value[column], thread % 32,
            [&](int l) {
              const auto& weight = warp.of(l, own).weight;
              const float *left = weight[2 * step], *right = weight[2 * step + 1];
              return LeftPart{{pack(left[0], left[1]), pack(left[2], left[3]),
                               pack(right[0], right[1]), pack(right[2], right[3])}};
            },
            [&](int l) {
              const int row = 16 * step + 2 * (l % 4),
                        at = first_column(thread) + 8 * column + l / 4;
              return RightPart{{pack(value(shared, row, at), value(shared, row + 1, at)),
                                pack(value(shared, row + 8, at), value(shared, row + 9, at))}};
            });
    }
  }

  DOCSPEC_HD static Bfloat16 value(const Shared& shared, int row, int column) {
    return {uint16_t(shared.values[row][column / 2] >> (16 * (column % 2)))};
  }

  DOCSPEC_HD void finish(int thread, const Thread& own, const Lanes& warp) const {
    if (idle(own, thread)) return;
    DOCSPEC_UNROLL
    for (int side = 0; side < 2; ++side) {
      const float sum = warp.over_quad(
          thread % 32, own, [&](const Thread& lane) { return lane.sum[side]; },
          [](float a, float b) { return a + b; });
      if (own.at.begin >= own.far[side]) continue;
      const int64_t entry =
          own.at.cell(query_of(thread, side), heads) * parts.splits + own.at.begin / kSplit;
      if (thread % 4 == 0 && first_column(thread) == 0) {
        parts.top[entry] = own.top[side];
        parts.sum[entry] = sum;
      }
      float* values = parts.values + entry * kDim + first_column(thread) + 2 * (thread % 4);
      DOCSPEC_UNROLL
      for (int i = 0; i < 2 * kColumns; ++i)
        values[8 * (i / 2) + i % 2] = own.value[i / 2][2 * side + i % 2];
    }
  }
};

}  // namespace docspec::cuda
