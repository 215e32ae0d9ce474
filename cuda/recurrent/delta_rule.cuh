#pragma once

// The short convolution and the gated delta rule over packed tree rows, each from the state at its
// path's last boundary and the path's rows since (share/doc/recurrent.md):
//
//   u_t = b_t (v_t - e^G_t S^T k_t - sum over s of e^(G_t - G_s) (k_s . k_t) u_s)
//   o_t = e^G_t S^T q_t + sum over s, t too, of e^(G_t - G_s) (k_s . q_t) u_s
//
// Inputs    x [rows, channels] and gates [rows, 2 heads] f32; DeltaPassView: paths, and the state,
//           keys, updates and decays that each job keeps
// Outputs   keys, updates and decays of the pass's rows; out [rows, heads, value_dim] f32
// Mapping   four kernels, one after the other; block.y = job. ConvolveRows: a thread = a channel of
//           a row. UnitKeys, DeltaProducts: a block = a row and key head. DeltaColumns: a block =
//           kColumns columns of a head's values, which depend on no other: states are moved and
//           read by all of its threads, rows then solved in their order by a thread a column
// Shared    DeltaColumns: columns of a state, and what 32 rows read in it: 41 KB
// Numerics  f32; each sum runs along a row's own path in one fixed order, with every product and
// sum
//           named (fmaf), so that a row's bits do not depend on what the compiler joins
// Limits    heads of keys: a multiple of 16 up to 256; chunks up to 64 rows
// Measured  right on an H200; not timed alone (tests/bench/results/gpu.json)
// Equals    core/ops/delta_rule_aten.cc
#include <cmath>

#include "cuda/numbers.cuh"
#include "cuda/recurrent/delta_view.h"

namespace docspec::cuda {

inline constexpr int kMostKeyDim = 256, kMostChunk = 64;

/// x W of the path's last rows, then silu.
struct ConvolveRows {
  static constexpr int kThreads = 256;

  DeltaPassView pass;
  const float* x = nullptr;     ///< [rows, channels]
  const float* taps = nullptr;  ///< [taps, channels]
  float* out = nullptr;         ///< [rows, channels]

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared&, Thread&) const {
    const DeltaJobView& job = pass.jobs[block.y];
    const int64_t i = int64_t(block.x) * kThreads + thread, channels = pass.sizes.channels();
    if (i >= job.rows * channels) return false;
    const int64_t channel = i % channels;
    float sum = 0;
    int row = int(i / channels);  // below 0: -1 is the last committed row
    for (int tap = pass.sizes.taps; tap-- > 0;) {
      const float seen = row >= 0 ? x[(job.first + row) * channels + channel]
                                  : job.inputs[(pass.sizes.taps - 1 + row) * channels + channel];
      sum = fmaf(taps[tap * channels + channel], seen, sum);
      row = row >= 0 ? job.parent[row] : row - 1;
    }
    out[job.first * channels + i] = sum / (1.0f + expf(-sum));
    return false;
  }
};

/// Queries and keys of unit length, q divided by sqrt(key_dim); steps, and decays since the
/// boundary.
struct UnitKeys {
  static constexpr int kThreads = 128, kSteps = 7;

  DeltaPassView pass;
  const float* qkv = nullptr;        ///< [rows, channels] as ConvolveRows leaves them
  const float* gates = nullptr;      ///< [rows, 2 * heads]
  const float* rate = nullptr;       ///< [heads]
  const float* time_bias = nullptr;  ///< [heads]
  float* q = nullptr;                ///< [rows, key_heads, key_dim]
  float* beta = nullptr;             ///< [rows, heads]

  struct Shared {
    float q[kThreads], k[kThreads];
  };
  struct Thread {};

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared& s, Thread&) const {
    const DeltaJobView& job = pass.jobs[block.y];
    const DeltaSizes& sizes = pass.sizes;
    const int row = block.x / sizes.key_heads, head = block.x % sizes.key_heads;
    if (row >= job.rows) return false;
    const float* const own_q =
        qkv + (job.first + row) * sizes.channels() + int64_t(head) * sizes.key_dim;
    const float* const own_k = own_q + int64_t(sizes.key_heads) * sizes.key_dim;
    if (n == 0) {
      s.q[thread] = squares(own_q, thread);
      s.k[thread] = squares(own_k, thread);
    } else if (n <= kSteps) {
      const int half = kThreads >> n;
      if (thread < half) {
        s.q[thread] += s.q[thread + half];
        s.k[thread] += s.k[thread + half];
      }
    } else {
      const float of_q = 1.0f / sqrtf(s.q[0] + 1e-6f) / sqrtf(float(sizes.key_dim)),
                  of_k = 1.0f / sqrtf(s.k[0] + 1e-6f);
      float* const to_q = q + (int64_t(job.first + row) * sizes.key_heads + head) * sizes.key_dim;
      float* const to_k = job.keys + (head * job.slots + job.slot(row)) * sizes.key_dim;
      for (int d = thread; d < sizes.key_dim; d += kThreads) {
        to_q[d] = own_q[d] * of_q;
        to_k[d] = own_k[d] * of_k;
      }
      for (int i = thread; i < sizes.group(); i += kThreads)
        write_gates(job, row, head * sizes.group() + i);
      return false;
    }
    return true;
  }

  DOCSPEC_HD float squares(const float* x, int thread) const {
    float sum = 0;
    for (int d = thread; d < pass.sizes.key_dim; d += kThreads) sum = fmaf(x[d], x[d], sum);
    return sum;
  }

  /// The decay is summed along the path, as if each row had read its parent's.
  DOCSPEC_HD void write_gates(const DeltaJobView& job, int row, int head) const {
    const int heads = pass.sizes.heads, chunk = pass.sizes.chunk;
    const float step = gates[int64_t(job.first + row) * 2 * heads + head];
    beta[int64_t(job.first + row) * heads + head] = 1.0f / (1.0f + expf(-step));
    float* const decays = job.decays + head * job.slots;
    int at = 0;
    while (at < job.length[row] && job.slot_at(row, at, chunk) < job.kept) ++at;
    float sum = at > 0 ? decays[job.slot_at(row, at - 1, chunk)] : 0;
    for (; at <= job.length[row]; ++at) {
      const int64_t from = job.first + job.slot_at(row, at, chunk) - job.kept;
      const float time = gates[(2 * from + 1) * heads + head] + time_bias[head];
      sum = fmaf(rate[head], time > 20.0f ? time : log1pf(expf(time)), sum);
    }
    decays[job.slot(row)] = sum;
  }
};

/// k_s . k_t and k_s . q_t of each row t and its path, times the decay since s, for each head.
struct DeltaProducts {
  static constexpr int kThreads = 128, kParts = 4, kPlaces = kThreads / kParts;

  DeltaPassView pass;
  const float* q = nullptr;                    ///< [rows, key_heads, key_dim]
  float *with_k = nullptr, *with_q = nullptr;  ///< [rows, heads, chunk + 1], the row itself last

  struct Shared {
    float k[kPlaces][kParts + 1], q[kPlaces][kParts + 1];
  };
  struct Thread {};

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared& s, Thread&) const {
    const DeltaJobView& job = pass.jobs[block.y];
    const int row = block.x / pass.sizes.key_heads, head = block.x % pass.sizes.key_heads;
    if (row >= job.rows) return false;
    const int first = n / 2 * kPlaces, end = job.length[row] + 1;
    if (n % 2 == 0) {
      const int at = first + thread / kParts;
      if (at < end) multiply_part(job, row, head, at, thread, s);
      return true;
    }
    for (int i = thread; i < kPlaces * pass.sizes.group(); i += kThreads)
      if (first + i % kPlaces < end)
        write(job, row, head * pass.sizes.group() + i / kPlaces, first, i % kPlaces, s);
    return first + kPlaces < end;
  }

  /// Of four numbers in 4 * kParts, those of the thread.
  DOCSPEC_HD void multiply_part(const DeltaJobView& job, int row, int head, int at, int thread,
                                Shared& s) const {
    const int dim = pass.sizes.key_dim, part = thread % kParts;
    const float* const keys = job.keys + head * job.slots * dim;
    const float* const seen = keys + int64_t(job.slot_at(row, at, pass.sizes.chunk)) * dim;
    const float* const own_k = keys + int64_t(job.slot(row)) * dim;
    const float* const own_q = q + (int64_t(job.first + row) * pass.sizes.key_heads + head) * dim;
    float by_k = 0, by_q = 0;
    for (int d = 4 * part; d < dim; d += 4 * kParts) {
      float key[4], of_k[4], of_q[4];
      widen(seen + d, key);
      widen(own_k + d, of_k);
      widen(own_q + d, of_q);
      DOCSPEC_UNROLL
      for (int i = 0; i < 4; ++i) {
        by_k = fmaf(key[i], of_k[i], by_k);
        by_q = fmaf(key[i], of_q[i], by_q);
      }
    }
    s.k[thread / kParts][part] = by_k;
    s.q[thread / kParts][part] = by_q;
  }

  DOCSPEC_HD void write(const DeltaJobView& job, int row, int head, int first, int place,
                        const Shared& s) const {
    const float* const decays = job.decays + head * job.slots;
    const int slot = job.slot_at(row, first + place, pass.sizes.chunk);
    const float since = expf(decays[job.slot(row)] - decays[slot]);
    const int64_t to =
        (int64_t(job.first + row) * pass.sizes.heads + head) * (pass.sizes.chunk + 1) + first +
        place;
    const float *const k = s.k[place], *const q_of = s.q[place];
    with_k[to] = ((k[0] + k[1]) + (k[2] + k[3])) * since;
    with_q[to] = ((q_of[0] + q_of[1]) + (q_of[2] + q_of[3])) * since;
  }
};

/// One number of a state after the `rows` rows of a chunk: e^G S + sum over s of
/// e^(G - G_s) k_s u_s^T. slot(s): of row s; since: [rows] e^(G - G_s).
template <class Slot>
DOCSPEC_HD float folded(float state, float whole, const float* since, int rows, const Slot& slot,
                        const float* keys, int key_dim, const float* updates, int value_dim) {
  float sum = expf(whole) * state;
  for (int s = 0; s < rows; ++s) {
    const int64_t at = slot(s);
    sum = fmaf(since[s] * keys[at * key_dim], updates[at * value_dim], sum);
  }
  return sum;
}

/// Updates and outputs of some columns of a head: states at boundaries within the pass by `folded`,
/// then each row.
struct DeltaColumns {
  static constexpr int kThreads = 128, kColumns = 32, kTogether = 32;
  static constexpr int kWays = kThreads / kColumns;  ///< threads of a column

  DeltaPassView pass;
  const float* qkv = nullptr;                        ///< as UnitKeys
  const float *q = nullptr, *beta = nullptr;         ///< as UnitKeys
  const float *with_k = nullptr, *with_q = nullptr;  ///< as DeltaProducts
  float* out = nullptr;                              ///< [rows, heads, value_dim]

  struct Shared {
    float state[kMostKeyDim][kColumns];
    float read_k[kTogether][kColumns], read_q[kTogether][kColumns];
    float since[kMostChunk];
  };
  struct Thread {
    int part = 0, first = 0, step = 0;
  };
  /// Where a thread works.
  struct Place {
    const DeltaJobView& job;
    int head, key_head, column, way;
    bool idle;
  };

  DOCSPEC_HD static int blocks(const DeltaSizes& sizes) {
    return sizes.heads * ((sizes.value_dim + kColumns - 1) / kColumns);
  }

  DOCSPEC_HD bool phase(int, const ThreadBlock& block, int thread, Shared& shared,
                        Thread& own) const {
    const int groups = (pass.sizes.value_dim + kColumns - 1) / kColumns;
    const int head = block.x / groups, column = block.x % groups * kColumns + thread % kColumns;
    const Place at{pass.jobs[block.y],        head,
                   head / pass.sizes.group(), column,
                   thread / kColumns,         column >= pass.sizes.value_dim};
    const DeltaPart part = at.job.parts[own.part];
    switch (own.step++) {
      case 0:
        weigh(at, part, thread, shared);
        return true;
      case 1:
        if (!at.idle) take_state(at, part, own.part, thread, shared);
        own.first = 0;
        return true;
      case 2:
        if (!at.idle) read_state(at, part, own.first, thread, shared);
        return true;
      default:
        if (!at.idle && at.way == 0) solve(at, part, own.first, thread, shared);
        own.first += kTogether;
        own.step = own.first < part.count ? 2 : 0;
        if (own.step == 0) ++own.part;
        return own.part < at.job.part_count;
    }
  }

  /// Decays of the rows of the chunk before the part until its end.
  DOCSPEC_HD void weigh(const Place& at, const DeltaPart& part, int thread, Shared& shared) const {
    if (part.last < 0 || thread >= pass.sizes.chunk) return;
    const float* const decays = at.job.decays + at.head * at.job.slots;
    const int slot = at.job.slot_at(part.last, thread, pass.sizes.chunk);
    shared.since[thread] = expf(decays[at.job.slot(part.last)] - decays[slot]);
  }

  /// The state at the part's boundary: the one that is kept, or that of the part before after its
  /// chunk.
  DOCSPEC_HD void take_state(const Place& at, const DeltaPart& part, int index, int thread,
                             Shared& shared) const {
    const DeltaSizes& sizes = pass.sizes;
    const DeltaJobView& job = at.job;
    const int64_t size = int64_t(sizes.key_dim) * sizes.value_dim, all = sizes.heads * size;
    const int from = part.last < 0 ? 0 : part.before;
    const float* const before =
        (from == 0 ? job.state : job.states + (from - 1) * all) + at.head * size + at.column;
    const float* const keys = job.keys + at.key_head * job.slots * sizes.key_dim;
    const float* const updates = job.updates + at.head * job.slots * sizes.value_dim + at.column;
    for (int64_t i = at.way; i < sizes.key_dim; i += kWays) {
      float number = before[i * sizes.value_dim];
      if (part.last >= 0) {
        number = folded(
            number, job.decays[at.head * job.slots + job.slot(part.last)], shared.since,
            sizes.chunk, [&](int s) { return job.slot_at(part.last, s, sizes.chunk); }, keys + i,
            sizes.key_dim, updates, sizes.value_dim);
        job.states[(index - 1) * all + at.head * size + at.column + i * sizes.value_dim] = number;
      }
      shared.state[i][thread % kColumns] = number;
    }
  }

  /// S^T k and S^T q of some rows of the part, from `first` on.
  DOCSPEC_HD void read_state(const Place& at, const DeltaPart& part, int first, int thread,
                             Shared& shared) const {
    const DeltaSizes& sizes = pass.sizes;
    const int column = thread % kColumns;
    for (int i = at.way; i < kTogether && first + i < part.count; i += kWays) {
      const int row = at.job.order[part.first + first + i];
      const float* const k =
          at.job.keys + (at.key_head * at.job.slots + at.job.slot(row)) * sizes.key_dim;
      const float* const own_q =
          q + (int64_t(at.job.first + row) * sizes.key_heads + at.key_head) * sizes.key_dim;
      float by_k[4] = {}, by_q[4] = {};
      for (int d = 0; d < sizes.key_dim; d += 4) {
        float of_k[4], of_q[4];
        widen(k + d, of_k);
        widen(own_q + d, of_q);
        DOCSPEC_UNROLL
        for (int j = 0; j < 4; ++j) {
          by_k[j] = fmaf(of_k[j], shared.state[d + j][column], by_k[j]);
          by_q[j] = fmaf(of_q[j], shared.state[d + j][column], by_q[j]);
        }
      }
      shared.read_k[i][column] = (by_k[0] + by_k[1]) + (by_k[2] + by_k[3]);
      shared.read_q[i][column] = (by_q[0] + by_q[1]) + (by_q[2] + by_q[3]);
    }
  }

  /// The same rows, one after the other.
  DOCSPEC_HD void solve(const Place& at, const DeltaPart& part, int first, int thread,
                        const Shared& shared) const {
    const DeltaSizes& sizes = pass.sizes;
    float* const updates = at.job.updates + at.head * at.job.slots * sizes.value_dim + at.column;
    for (int i = 0; i < kTogether && first + i < part.count; ++i) {
      const int row = at.job.order[part.first + first + i], length = at.job.length[row];
      const int64_t all = at.job.first + row, cell = all * sizes.heads + at.head;
      const float *const of_k = with_k + cell * (sizes.chunk + 1), *const of_q =
                                                                       with_q +
                                                                       cell * (sizes.chunk + 1);
      const int32_t* const path = at.job.paths + int64_t(row) * sizes.chunk;
      float by_k = 0, by_q = 0;
      for (int s = 0; s < length; ++s) {
        const float update = updates[int64_t(path[s]) * sizes.value_dim];
        by_k = fmaf(of_k[s], update, by_k);
        by_q = fmaf(of_q[s], update, by_q);
      }
      const float kept = expf(at.job.decays[at.head * at.job.slots + at.job.slot(row)]);
      const float v = qkv[all * sizes.channels() + 2 * int64_t(sizes.key_heads) * sizes.key_dim +
                          int64_t(at.head) * sizes.value_dim + at.column];
      const float update = beta[cell] * (v - fmaf(kept, shared.read_k[i][thread % kColumns], by_k));
      updates[int64_t(at.job.slot(row)) * sizes.value_dim] = update;
      out[cell * sizes.value_dim + at.column] =
          fmaf(of_q[length], update, fmaf(kept, shared.read_q[i][thread % kColumns], by_q));
    }
  }
};

}  // namespace docspec::cuda
