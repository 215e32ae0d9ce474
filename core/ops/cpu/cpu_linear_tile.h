#pragma once

#include <algorithm>

#include "core/ops/cpu/cpu_linear.h"
#include "core/ops/cpu/cpu_vector.h"

// The loop nest of a LinearKernel for any way to multiply: a `Dot` says how many weights one step
// takes (kStep), how many a sum's part has at most (kMostOfPart), how they and a row's numbers are
// loaded, and how they are multiplied and added. Included by files that are compiled for different
// processors; everything here is local to them.
namespace docspec {
namespace {

/// Places [first, last) of the sums that a tile makes.
struct Part {
  int64_t first, last, in;
};

/// Adds a part's sum to an output: an exact integer one (rows carry an offset of 128; such sums
/// have one part), or a float one.
DOCSPEC_INLINE void keep_sum(const LinearRows& x, const LinearWeights& w, int64_t r, int64_t c,
                             const Part&, int32_t sum, float& out) {
  out = DOCSPEC_ROUNDED(float(sum - 128 * w.sums[c]) * (x.scale(r) * w.scale[c]));
  if (w.bias) out += w.bias[c];
}
DOCSPEC_INLINE void keep_sum(const LinearRows&, const LinearWeights& w, int64_t, int64_t c,
                             const Part& part, float sum, float& out) {
  out = part.first == 0 ? sum : out + sum;
  if (w.bias && part.last == part.in) out += w.bias[c];
}

/// One row's sums with four columns; named, not an array, so that they stay in registers.
template <class Dot>
struct Sums {
  typename Dot::Sum a{}, b{}, c{}, d{};
};

/// Four columns' weights of one step.
template <class Dot>
struct DotStep {
  typename Dot::Weights a, b, c, d;

  DOCSPEC_INLINE void times(const typename Dot::Row* row, Sums<Dot>& sums) const {
    typename Dot::Values x;
    Dot::load_row(x, row);
    Dot::add(sums.a, x, a);
    Dot::add(sums.b, x, b);
    Dot::add(sums.c, x, c);
    Dot::add(sums.d, x, d);
  }
};

/// The rest of a column after its last whole step, padded with zeros.
template <class Dot>
DOCSPEC_INLINE void load_part(typename Dot::Weights& to, const typename Dot::Weight* from,
                              int64_t n) {
  typename Dot::Weight part[Dot::kStep] = {};
  std::memcpy(part, from, size_t(n) * sizeof *part);
  Dot::load(to, part);
}

/// The input of a tile. The last row or column replaces missing ones.
template <class Dot>
struct Tile {
  const typename Dot::Weight* weight[4];
  const typename Dot::Row* row[4];
  Part part;
  const typename Dot::Weight* soon[4];  // like weight: prefetched for the next steps

  template <int kRows>
  DOCSPEC_INLINE void times(const DotStep<Dot>& step, int64_t k, Sums<Dot>& s0, Sums<Dot>& s1,
                            Sums<Dot>& s2, Sums<Dot>& s3) const {
    step.times(row[0] + k, s0);
    if constexpr (kRows > 1) step.times(row[1] + k, s1);
    if constexpr (kRows > 2) step.times(row[2] + k, s2), step.times(row[3] + k, s3);
  }

  template <int kRows>
  DOCSPEC_INLINE void run(Sums<Dot>& s0, Sums<Dot>& s1, Sums<Dot>& s2, Sums<Dot>& s3) const {
    const int64_t whole = part.last - (part.last - part.first) % Dot::kStep;
    DotStep<Dot> step;
    for (int64_t k = part.first; k < whole; k += Dot::kStep) {
      for (const auto* column : soon) __builtin_prefetch(column + k);
      Dot::load(step.a, weight[0] + k);
      Dot::load(step.b, weight[1] + k);
      Dot::load(step.c, weight[2] + k);
      Dot::load(step.d, weight[3] + k);
      times<kRows>(step, k, s0, s1, s2, s3);
    }
    const int64_t left = part.last - whole;
    if (left == 0) return;
    load_part<Dot>(step.a, weight[0] + whole, left);
    load_part<Dot>(step.b, weight[1] + whole, left);
    load_part<Dot>(step.c, weight[2] + whole, left);
    load_part<Dot>(step.d, weight[3] + whole, left);
    times<kRows>(step, whole, s0, s1, s2, s3);
  }
};

/// The work of one call of a kernel.
template <class Dot>
struct Share {
  const LinearRows& x;
  const LinearWeights& weights;
  int64_t last;
  float* out;
  int64_t out_row;
  int64_t group;  // columns that stay in a core's own cache while all rows pass

  DOCSPEC_INLINE void keep(const Part& part, int64_t row, int64_t column,
                           const Sums<Dot>& sums) const {
    const typename Dot::Sum* const four[] = {&sums.a, &sums.b, &sums.c, &sums.d};
    for (int i = 0; i < 4 && column + i < last; ++i)
      keep_sum(x, weights, row, column + i, part, sum_of(*four[i]),
               out[row * out_row + column + i]);
  }

  template <int kRows>
  DOCSPEC_INLINE void tile(const Part& part, int64_t row, int64_t column) const {
    Tile<Dot> tile;
    tile.part = part;
    // Memory is read all the time: while one group is worked on, its rows' tiles share in fetching
    // the next one. Streams of this many columns end too soon for the processor to guess.
    const int64_t turns = (x.rows() + 3) / 4;
    for (int i = 0; i < 4; ++i) {
      const int64_t c = std::min(column + i, last - 1);
      const bool mine = i % turns == row / 4 && c + group < last;
      tile.weight[i] = static_cast<const typename Dot::Weight*>(weights.weight) + c * x.in();
      tile.soon[i] = tile.weight[i] + (mine ? group * x.in() : 0);
      tile.row[i] =
          reinterpret_cast<const typename Dot::Row*>(x.row(std::min(row + i, x.rows() - 1)));
    }
    Sums<Dot> s0, s1, s2, s3;
    tile.template run<kRows>(s0, s1, s2, s3);
    keep(part, row, column, s0);
    if (kRows > 1) keep(part, row + 1, column, s1);
    if (kRows > 2) keep(part, row + 2, column, s2);
    if (kRows > 2 && row + 3 < x.rows()) keep(part, row + 3, column, s3);
  }

  template <int kRows>
  DOCSPEC_INLINE void tiles(const Part& part, int64_t row, int64_t first, int64_t end) const {
    for (int64_t column = first; column < end; column += 4) tile<kRows>(part, row, column);
  }

  /// Four rows at a time, a part of the sums that fits the first cache with its weights, over as
  /// many columns as the second cache holds.
  DOCSPEC_INLINE void run(int64_t first) const {
    const int64_t parts = (x.in() + Dot::kMostOfPart - 1) / Dot::kMostOfPart;
    const int64_t part = ((x.in() + parts - 1) / parts + Dot::kStep - 1) / Dot::kStep * Dot::kStep;
    for (; first < last; first += group) {
      const int64_t end = std::min(first + group, last);
      for (int64_t k = 0; k < x.in(); k += part) {
        const Part places{k, std::min(k + part, x.in()), x.in()};
        int64_t row = 0;
        for (; row + 3 <= x.rows(); row += 4) tiles<4>(places, row, first, end);
        if (x.rows() - row == 2) tiles<2>(places, row, first, end);
        if (x.rows() - row == 1) tiles<1>(places, row, first, end);
      }
    }
  }
};

template <class Dot>
DOCSPEC_INLINE void share(const LinearRows& x, const LinearWeights& weights, int64_t first,
                          int64_t last, float* out, int64_t out_row) {
  constexpr int64_t kGroupBytes = 64 << 10;
  const auto bytes = std::max<int64_t>(1, int64_t(4 * sizeof(typename Dot::Weight)) * x.in());
  const int64_t group = x.rows() <= 4 ? 4 : std::max<int64_t>(1, kGroupBytes / bytes) * 4;
  Share<Dot>{x, weights, last, out, out_row, group}.run(first);
}

}  // namespace
}  // namespace docspec
