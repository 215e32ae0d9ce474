#pragma once

// Statistics of the rows of f32 logits.
//
// Inputs    logits [rows, vocab] f32, the trees' tokens and parents
// Outputs   what core/ops/ops.h's RowStats holds
// Mapping   RowStatistics: a block = a part of a row. MergeStatistics: one block, a thread = a row
// Numerics  a block reduces by threads that take every kThreads-th number, then in a tree, and
// parts
//           meet in their order: an order of the row's own
// Measured  right on an H200; not timed alone (tests/bench/results/gpu.json)
// Equals    core/ops/ops_aten.cc
#include <cmath>

#include "cuda/accept.cuh"

namespace docspec::cuda {

/// What part of a row's logits tells, and then all of it.
struct RowSummary {
  float top = -INFINITY, second = -INFINITY;
  float sum = 0;  ///< of e^(x - top)
  int32_t argmax = 0;

  /// This part's and another one's findings; of equals the lower id.
  DOCSPEC_HD void meet(const RowSummary& other) {
    const bool theirs = other.top > top || (other.top == top && other.argmax < argmax);
    const float high = theirs ? other.top : top, lost = theirs ? top : other.top;
    const float kept = theirs ? other.second : second;
    if (high > -INFINITY) sum = sum * expf(top - high) + other.sum * expf(other.top - high);
    if (theirs) argmax = other.argmax;
    top = high;
    second = lost > kept ? lost : kept;
  }
};

/// Summaries of a row's logits in parts of kPart: block (x, y) is part y of row x, so that few rows
/// occupy a GPU too.
struct RowStatistics {
  static constexpr int kThreads = 256, kSteps = 8;  // 2^8 threads
  static constexpr int kPart = 8192;

  const float* logits = nullptr;  ///< [rows, vocab]
  int vocab = 0;
  RowSummary* parts = nullptr;  ///< [rows, parts_of(vocab)]

  DOCSPEC_HD static int parts_of(int vocab) { return (vocab + kPart - 1) / kPart; }

  struct Shared {
    float top[kThreads], second[kThreads], sum[kThreads];
    int32_t argmax[kThreads];
  };
  struct Thread {};

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared& s, Thread&) const {
    const float* row = logits + int64_t(block.x) * vocab;
    const int first = block.y * kPart, last = first + kPart < vocab ? first + kPart : vocab;
    if (n == 0) {
      float best = -INFINITY, next = -INFINITY;
      int32_t at = last;
      for (int i = first + thread; i < last; i += kThreads) {
        if (row[i] > best || at == last) {
          next = best;
          best = row[i];
          at = i;
        } else if (row[i] > next) {
          next = row[i];
        }
      }
      s.top[thread] = best, s.second[thread] = next, s.argmax[thread] = at;
    } else if (n <= kSteps) {
      const int half = kThreads >> n;
      if (thread < half) meet(s, thread, thread + half);
    } else if (n == kSteps + 1) {
      float sum = 0;
      for (int i = first + thread; i < last; i += kThreads)
        if (row[i] != -INFINITY) sum += expf(row[i] - s.top[0]);
      s.sum[thread] = sum;
    } else if (n <= 2 * kSteps + 1) {
      const int half = kThreads >> (n - kSteps - 1);
      if (thread < half) s.sum[thread] += s.sum[thread + half];
    } else {
      if (thread == 0)
        parts[int64_t(block.x) * parts_of(vocab) + block.y] = {s.top[0], s.second[0], s.sum[0],
                                                               s.argmax[0]};
      return false;
    }
    return true;
  }

  /// Two threads' findings become one's; of equals the lower id.
  DOCSPEC_HD static void meet(Shared& s, int a, int b) {
    const bool other = s.top[b] > s.top[a] || (s.top[b] == s.top[a] && s.argmax[b] < s.argmax[a]);
    const float lost = other ? s.top[a] : s.top[b];
    const float kept = other ? s.second[b] : s.second[a];
    if (other) s.top[a] = s.top[b], s.argmax[a] = s.argmax[b];
    s.second[a] = lost > kept ? lost : kept;
  }
};

/// From its parts, in their order, each row's argmax (ties to the lowest), largest, runner-up and
/// logsumexp; the logit of each row's token in its parent's row; then where the trees' argmaxes
/// lead. One block.
struct MergeStatistics {
  static constexpr int kThreads = WalkTrees::kThreads;

  const float* logits = nullptr;      ///< [rows, vocab]
  const RowSummary* parts = nullptr;  ///< [rows, RowStatistics::parts_of(vocab)]
  int vocab = 0;
  WalkTrees walk;             ///< of `argmax`
  int32_t* argmax = nullptr;  ///< [rows], as all that follows
  float *top = nullptr, *second = nullptr, *logsumexp = nullptr, *own = nullptr;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    if (n > 0) {
      WalkTrees::Shared none;
      WalkTrees::Thread no_state;
      return walk.phase(n - 1, block, thread, none, no_state);
    }
    const int count = RowStatistics::parts_of(vocab);
    for (int row = thread; row < walk.rows; row += kThreads) {
      const RowSummary* part = parts + int64_t(row) * count;
      RowSummary all = part[0];
      for (int i = 1; i < count; ++i) all.meet(part[i]);
      argmax[row] = all.argmax;
      top[row] = all.top;
      second[row] = all.second;
      logsumexp[row] = all.top + logf(all.sum);
      const int32_t above = walk.parent[row];
      own[row] = above < 0 ? 0 : logits[int64_t(above) * vocab + walk.token[row]];
    }
    return true;
  }
};

}  // namespace docspec::cuda
