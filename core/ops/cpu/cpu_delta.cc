#include "core/ops/cpu/cpu_delta.h"

#include <algorithm>
#include <cmath>

#include "core/ops/cpu/cpu_vector.h"

namespace docspec {
namespace {

static_assert(kDeltaLanes == kLanes);

/// out[i][c..] = S^T x[i] of kRows rows and kParts vectors from column c on.
template <class V, int kRows, int kParts>
DOCSPEC_INLINE void read_columns(const float* state, int64_t key_dim, int64_t value_dim, int64_t c,
                                 const float* const* x, float* const* out) {
  V sum[kRows][kParts] = {};
  for (int64_t i = 0; i < key_dim; ++i) {
    V column[kParts];
    for (int p = 0; p < kParts; ++p) load(column[p], state + i * value_dim + c + p * kLanesOf<V>);
    for (int r = 0; r < kRows; ++r)
      for (int p = 0; p < kParts; ++p) sum[r][p] += x[r][i] * column[p];
  }
  for (int r = 0; r < kRows; ++r)
    for (int p = 0; p < kParts; ++p) store(out[r] + c + p * kLanesOf<V>, sum[r][p]);
}

template <class V, int kRows>
DOCSPEC_INLINE void read_rows(const float* state, int64_t key_dim, int64_t value_dim,
                              const float* const* x, float* const* out) {
  int64_t c = 0;
  for (; c + 2 * kLanesOf<V> <= value_dim; c += 2 * kLanesOf<V>)
    read_columns<V, kRows, 2>(state, key_dim, value_dim, c, x, out);
  if (c < value_dim) read_columns<V, kRows, 1>(state, key_dim, value_dim, c, x, out);
}

/// k . keys and q . keys of kRows slots.
template <class V, int kRows>
DOCSPEC_INLINE void dots(const CpuDeltaRow& row, const int32_t* path, float* to_k, float* to_q) {
  V with_k[kRows] = {}, with_q[kRows] = {};
  for (int64_t d = 0; d < row.key_dim; d += kLanesOf<V>) {
    V q, k;
    load(q, row.q + d);
    load(k, row.k + d);
    for (int i = 0; i < kRows; ++i) {
      V key;
      load(key, row.keys + path[i] * row.key_dim + d);
      with_k[i] += k * key;
      with_q[i] += q * key;
    }
  }
  for (int i = 0; i < kRows; ++i) {
    to_k[i] = sum_of(with_k[i]);
    to_q[i] = sum_of(with_q[i]);
  }
}

/// Both sums of the path's updates, and what follows from them, of kParts vectors from column c on.
template <class V, int kParts>
DOCSPEC_INLINE void write_columns(const CpuDeltaRow& row, const float* with_k, const float* with_q,
                                  float own, float kept, int64_t c) {
  V by_k[kParts] = {}, by_q[kParts] = {};
  for (int64_t s = 0; s < row.before; ++s)
    for (int p = 0; p < kParts; ++p) {
      V update;
      load(update, row.updates + row.path[s] * row.value_dim + c + p * kLanesOf<V>);
      by_k[p] += with_k[s] * update;
      by_q[p] += with_q[s] * update;
    }
  for (int p = 0; p < kParts; ++p) {
    const int64_t at = c + p * kLanesOf<V>;
    V v, read_k, read_q;
    load(v, row.v + at);
    load(read_k, row.read_k + at);
    load(read_q, row.read_q + at);
    const V update = row.beta * (v - kept * read_k - by_k[p]);
    store(row.update + at, update);
    store(row.out + at, kept * read_q + by_q[p] + own * update);
  }
}

/// out[i..][c..] of kRows rows of the state and kParts vectors.
template <class V, int kRows, int kParts>
DOCSPEC_INLINE void fold_block(const float* state, int64_t value_dim, const int32_t* path,
                               int64_t rows, const float* weighed, int64_t key_dim,
                               const float* updates, float kept, int64_t i, int64_t c, float* out) {
  V sum[kRows][kParts];
  for (int r = 0; r < kRows; ++r)
    for (int p = 0; p < kParts; ++p) {
      load(sum[r][p], state + (i + r) * value_dim + c + p * kLanesOf<V>);
      sum[r][p] *= kept;
    }
  for (int64_t s = 0; s < rows; ++s) {
    V update[kParts];
    for (int p = 0; p < kParts; ++p)
      load(update[p], updates + path[s] * value_dim + c + p * kLanesOf<V>);
    for (int r = 0; r < kRows; ++r)
      for (int p = 0; p < kParts; ++p) sum[r][p] += weighed[s * key_dim + i + r] * update[p];
  }
  for (int r = 0; r < kRows; ++r)
    for (int p = 0; p < kParts; ++p)
      store(out + (i + r) * value_dim + c + p * kLanesOf<V>, sum[r][p]);
}

/// to[s] = e^(whole - decays[path[s]]), s < n; to: n rounded up to kLanesOf<V>.
template <class V>
DOCSPEC_INLINE void decays_until(float whole, const float* decays, const int32_t* path, int64_t n,
                                 float* to) {
  for (int64_t first = 0; first < n; first += kLanesOf<V>) {
    V x = {};
    for (int64_t i = 0; i < std::min(kLanesOf<V>, n - first); ++i)
      x[i] = whole - decays[path[first + i]];
    exponential(x);
    store(to + first, x);
  }
}

template <class V>
DOCSPEC_INLINE float exponential_of(float x) {
  V all = V{} + x;
  exponential(all);
  return all[0];
}

}  // namespace

void cpu_unit_vector(const float* x, int64_t d, float scale, float* out) {
  for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    V squares = {};
    for (int64_t i = 0; i < d; i += kLanesOf<V>) {
      V part;
      load(part, x + i);
      squares += part * part;
    }
    const float factor = scale / std::sqrt(sum_of(squares) + 1e-6f);
    for (int64_t i = 0; i < d; ++i) out[i] = x[i] * factor;
  });
}

void cpu_convolve(const float* const* rows, const float* weight, int64_t taps, int64_t channels,
                  float* out) {
  for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    for (int64_t c = 0; c < channels; c += kLanesOf<V>) {
      V sum = {};
      for (int64_t t = 0; t < taps; ++t) {
        V x, w;
        load(x, rows[t] + c);
        load(w, weight + t * channels + c);
        sum += w * x;
      }
      V gate = sum;
      logistic(gate);
      store(out + c, sum * gate);
    }
  });
}

void cpu_sigmoid_product(const float* gate, const float* x, int64_t n, float* out) {
  for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    for (int64_t i = 0; i < n; i += kLanesOf<V>) {
      V g, value;
      load(g, gate + i);
      load(value, x + i);
      logistic(g);
      store(out + i, g * value);
    }
  });
}

void cpu_read_state(const float* state, int64_t key_dim, int64_t value_dim, const float* const* x,
                    int64_t count, float* const* out) {
  for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) read_rows<V, 4>(state, key_dim, value_dim, x + i, out + i);
    for (; i + 2 <= count; i += 2) read_rows<V, 2>(state, key_dim, value_dim, x + i, out + i);
    if (i < count) read_rows<V, 1>(state, key_dim, value_dim, x + i, out + i);
  });
}

void cpu_delta_row(const CpuDeltaRow& row, float* scratch) {
  for_each_cpu([&](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    const int64_t padded = (row.before + kLanesOf<V> - 1) / kLanesOf<V> * kLanesOf<V>;
    float* const with_k = scratch;
    float* const with_q = scratch + padded;
    float* const decay = scratch + 2 * padded;
    int64_t s = 0;
    for (; s + 4 <= row.before; s += 4) dots<V, 4>(row, row.path + s, with_k + s, with_q + s);
    for (; s < row.before; ++s) dots<V, 1>(row, row.path + s, with_k + s, with_q + s);
    decays_until<V>(row.decay, row.decays, row.path, row.before, decay);
    for (s = 0; s < row.before; ++s) {
      with_k[s] *= decay[s];
      with_q[s] *= decay[s];
    }
    V products = {};
    for (int64_t d = 0; d < row.key_dim; d += kLanesOf<V>) {
      V q, k;
      load(q, row.q + d);
      load(k, row.k + d);
      products += q * k;
    }
    const float own = sum_of(products), kept = exponential_of<V>(row.decay);
    int64_t c = 0;
    for (; c + 4 * kLanesOf<V> <= row.value_dim; c += 4 * kLanesOf<V>)
      write_columns<V, 4>(row, with_k, with_q, own, kept, c);
    for (; c < row.value_dim; c += kLanesOf<V>)
      write_columns<V, 1>(row, with_k, with_q, own, kept, c);
  });
}

void cpu_fold_state(const float* state, int64_t key_dim, int64_t value_dim, const int32_t* path,
                    int64_t rows, const float* keys, const float* updates, const float* decays,
                    float* out, float* scratch) {
  for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    const float whole = decays[path[rows - 1]], kept = exponential_of<V>(whole);
    float* const weighed = scratch;  // [rows, key_dim]: keys by their decay until the end
    float* const decay = scratch + rows * key_dim;
    decays_until<V>(whole, decays, path, rows, decay);
    for (int64_t s = 0; s < rows; ++s)
      for (int64_t i = 0; i < key_dim; ++i)
        weighed[s * key_dim + i] = decay[s] * keys[path[s] * key_dim + i];
    for (int64_t i = 0; i < key_dim; i += 4) {
      int64_t c = 0;
      for (; c + 2 * kLanesOf<V> <= value_dim; c += 2 * kLanesOf<V>)
        fold_block<V, 4, 2>(state, value_dim, path, rows, weighed, key_dim, updates, kept, i, c,
                            out);
      if (c < value_dim)
        fold_block<V, 4, 1>(state, value_dim, path, rows, weighed, key_dim, updates, kept, i, c,
                            out);
    }
  });
}

}  // namespace docspec
