#pragma once

// What a language model does to each row between its products (T: f32 or bf16, rounded where the
// reference rounds), and the commit of cache rows.
//
// Mapping   NormRows: a block = a row. MakeRotary, RotateRows, RotateAppend, SwigluRows: one number
//           a thread. TurnHeads: a thread = two numbers that turn together. KeepRows: a thread = a
//           column of one head of one layer, all layers in one launch
// Numerics  a block reduces by threads that take every kThreads-th number, then in a tree: an order
//           of the row's own
// Measured  right on an H200; not timed alone (tests/bench/results/gpu.json)
// Equals    core/ops/ops_aten.cc
#include <cmath>

#include "cuda/attention_tables.h"
#include "cuda/numbers.cuh"

namespace docspec::cuda {

/// sum = x + more (where there is more), out = weight * (sum / root mean square of sum), a row a
/// block. W: of the weight.
template <class T, class W = T>
struct NormRows {
  static constexpr int kThreads = 256, kSteps = 8;

  const T *x = nullptr, *more = nullptr;  ///< [rows, width]
  const W* weight = nullptr;              ///< [width]
  T *sum = nullptr, *out = nullptr;       ///< sum: where there is more
  int width = 0;
  float eps = 0;

  struct Shared {
    float squares[kThreads];
  };
  struct Thread {};

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared& s, Thread&) const {
    const int64_t first = int64_t(block.x) * width;
    if (n == 0) {
      float squares = 0;
      for (int i = thread; i < width; i += kThreads) {
        if (more) sum[first + i] = narrow<T>(wide(x[first + i]) + wide(more[first + i]));
        const float number = at(first + i);
        squares = fmaf(number, number, squares);
      }
      s.squares[thread] = squares;
    } else if (n <= kSteps) {
      const int half = kThreads >> n;
      if (thread < half) s.squares[thread] += s.squares[thread + half];
    } else {
      const float scale = 1.0f / sqrtf(s.squares[0] / float(width) + eps);
      for (int i = thread; i < width; i += kThreads)
        out[first + i] = narrow<T>(wide(weight[i]) * wide(narrow<T>(at(first + i) * scale)));
      return false;
    }
    return true;
  }

  /// What this thread itself wrote, where there is more.
  DOCSPEC_HD float at(int64_t i) const { return wide(more ? sum[i] : x[i]); }
};

/// Number d of a head turned by its row's angles, the halves of a head together.
template <class T>
DOCSPEC_HD float turn(const T* head, const float* cos, const float* sin, int d, int half) {
  const float other = d < half ? -wide(head[d + half]) : wide(head[d - half]);
  return fmaf(other, sin[d], wide(head[d]) * cos[d]);
}

/// Cosine and sine of angles; `width`: angles of a row, dim or, where the halves of a head turn
/// together, half of it.
struct MakeRotary {
  static constexpr int kThreads = 256;

  const float* angles = nullptr;         ///< [rows, width]
  float *cos = nullptr, *sin = nullptr;  ///< [rows, dim]
  int64_t rows = 0;
  int width = 0, dim = 0;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const int64_t i = int64_t(block.x) * kThreads + thread;
    if (i >= rows * dim) return false;
    const float angle = angles[i / dim * width + i % dim % width];
    cos[i] = cosf(angle);
    sin[i] = sinf(angle);
    return false;
  }
};

/// Queries and keys turned in place; values stay.
template <class T>
struct TurnHeads {
  static constexpr int kThreads = 256;

  T* qkv = nullptr;                            ///< [rows, 3, heads, dim]
  const float *cos = nullptr, *sin = nullptr;  ///< [rows, dim]
  int64_t rows = 0;
  int heads = 0, dim = 0;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD int64_t pairs() const { return rows * heads * dim; }  // of q and k

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const int64_t i = int64_t(block.x) * kThreads + thread;
    if (i >= pairs()) return false;
    const int half = dim / 2, low = int(i % half), high = low + half;
    const int64_t head = i / half, row = head / (2 * heads);
    T* x = qkv + (row * 3 * heads + head % (2 * heads)) * dim;
    const float first = turn(x, cos + row * dim, sin + row * dim, low, half),
                second = turn(x, cos + row * dim, sin + row * dim, high, half);
    x[low] = narrow<T>(first);
    x[high] = narrow<T>(second);
    return false;
  }
};

/// Heads turned by their rows' angles.
template <class T>
struct RotateRows {
  static constexpr int kThreads = 256;

  const T* x = nullptr;                        ///< rows at x_stride
  const float *cos = nullptr, *sin = nullptr;  ///< [rows, dim]
  float* out = nullptr;                        ///< [rows, heads, dim]
  int64_t x_stride = 0, rows = 0;
  int heads = 0, dim = 0;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const int64_t i = int64_t(block.x) * kThreads + thread, width = int64_t(heads) * dim;
    if (i >= rows * width) return false;
    const int64_t row = i / width, at = i % width;
    const int d = int(at % dim);
    out[i] = turn(x + row * x_stride + at - d, cos + row * dim, sin + row * dim, d, dim / 2);
    return false;
  }
};

/// q turned to `q_out`, k turned and v as it is to the caches of the rows' jobs; T: of the rows and
/// the caches. Empty rows go nowhere.
template <class T>
struct RotateAppend {
  static constexpr int kThreads = 256;

  TableView tables;
  CacheLayer layer;
  const T* qkv = nullptr;                      ///< [rows, heads + 2 kv_heads, dim] at qkv_stride
  const float *cos = nullptr, *sin = nullptr;  ///< [rows, dim]
  float* q_out = nullptr;                      ///< [rows, heads, dim]
  int64_t qkv_stride = 0, rows = 0;
  int heads = 0, kv_heads = 0, dim = 0;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD int64_t width() const { return int64_t(heads + 2 * kv_heads) * dim; }

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const int64_t i = int64_t(block.x) * kThreads + thread;
    if (i >= rows * width()) return false;
    const int64_t row = i / width();
    const int at = int(i % width()), head = at / dim, d = at % dim;
    const T* const x = qkv + row * qkv_stride + at - d;
    if (head < heads) {
      q_out[(row * heads + head) * dim + d] = turned(x, row, d);
      return false;
    }
    if (tables.job_of_row[row] < 0) return false;
    const TreeJob& job = tables.jobs[tables.job_of_row[row]];
    const int slot = job.tree + int(row) - job.first;
    const bool key = head < heads + kv_heads;
    const int kv_head = head - heads - (key ? 0 : kv_heads);
    tables.cached<T>(job, key ? layer.keys : layer.values, kv_head, slot, dim)[d] =
        key ? narrow<T>(turned(x, row, d)) : x[d];
    return false;
  }

  DOCSPEC_HD float turned(const T* head, int64_t row, int d) const {
    return turn(head, cos + row * dim, sin + row * dim, d, dim / 2);
  }
};

/// out = silu(gate) * up of [rows, gate and up side by side].
template <class T>
struct SwigluRows {
  static constexpr int kThreads = 256;

  const T* gate_up = nullptr;  ///< [rows, 2 * width]
  T* out = nullptr;            ///< [rows, width]
  int64_t rows = 0;
  int width = 0;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const int64_t i = int64_t(block.x) * kThreads + thread;
    if (i >= rows * width) return false;
    const T* row = gate_up + i / width * 2 * width;
    const float gate = wide(row[i % width]), up = wide(row[width + i % width]);
    out[i] = narrow<T>(wide(narrow<T>(gate / (1.0f + expf(-gate)))) * up);
    return false;
  }
};

/// Copies slots from[i] of a cache to to + i, in place, in all layers, keys and values. A thread
/// copies one column slot after slot: from[i] >= to + i and ascending, so nothing is overwritten
/// before it was read.
struct KeepRows {
  static constexpr int kThreads = 128;

  /// [layers, 2, kv_heads, kPage, width] each, in words of four bytes: a number in f32, two in bf16
  uint32_t* const* pages = nullptr;
  const int32_t* from = nullptr;  ///< [count]
  int64_t columns = 0;            ///< layers * 2 * kv_heads * width
  int to = 0, count = 0, width = 0;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const int64_t column = int64_t(block.x) * kThreads + thread;
    if (column >= columns) return false;
    const int64_t head = column / width * kPage * width + column % width;
    for (int i = 0; i < count; ++i) word(head, to + i) = word(head, from[i]);
    return false;
  }
  DOCSPEC_HD uint32_t& word(int64_t head, int slot) const {
    return pages[slot / kPage][head + int64_t(slot % kPage) * width];
  }
};

}  // namespace docspec::cuda
