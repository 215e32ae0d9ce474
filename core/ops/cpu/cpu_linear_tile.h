#pragma once

#include <algorithm>

#include "core/ops/cpu/cpu_int4.h"
#include "core/ops/cpu/cpu_linear.h"
#include "core/ops/cpu/cpu_vector.h"

// The loop nest of a LinearKernel for any way to multiply: a `Dot` says how many weights one step
// takes (kStep), how many a sum's part has at most (kMostOfPart), how many rows a tile has at most
// (kTall) and how many outputs one of so many rows (wide; the sums stay in registers), how weights
// and a row's numbers are loaded, and how they are multiplied and added. Included by files that are
// compiled for different processors; everything here is local to them.
namespace docspec {
namespace {

/// Places [first, last) of the sums that a tile makes.
struct Part {
  int64_t first, last, in;
};

/// Adds a part's sum to an output: an exact integer one (rows carry an offset; such sums have one
/// part), or a float one.
template <class Dot>
DOCSPEC_INLINE void keep_sum(const LinearRows& x, const LinearWeights& w, int64_t r, int64_t c,
                             const Part&, int32_t sum, float& out) {
  out = float(sum - Dot::kOffset * w.sums[c]) * (x.scale(r) * w.scale[c]);
  settle_rounded(out);
  if (w.bias) out += w.bias[c];
}
template <class Dot>
DOCSPEC_INLINE void keep_sum(const LinearRows&, const LinearWeights& w, int64_t, int64_t c,
                             const Part& part, float sum, float& out) {
  out = part.first == 0 ? sum : out + sum;
  if (w.bias && part.last == part.in) out += w.bias[c];
}

/// Into the second cache, which takes more lines at once than the first: memory is read half as
/// fast again.
DOCSPEC_INLINE void fetch(const void* from) {
  __builtin_prefetch(from, 0, 2);
}

/// Weights of one type, one after the other.
template <class W>
struct PlainColumns {
  static constexpr bool kWoven = false;
  using Column = const W*;
  DOCSPEC_INLINE static Column column(const LinearWeights& weights, int64_t c, int64_t in) {
    return static_cast<const W*>(weights.weight) + c * in;
  }
  DOCSPEC_INLINE static int64_t column_bytes(int64_t in) { return int64_t(sizeof(W)) * in; }
};

/// Blocks of int4 in a column.
struct Int4Column {
  const Int4Block* block;
  DOCSPEC_INLINE Int4Column operator+(int64_t k) const { return {block + k / kInt4Block}; }
};
struct Int4Columns {
  static constexpr int64_t kStep = kInt4Block, kMostOfPart = int64_t{1} << 40;
  static constexpr bool kHasPart = false, kWoven = false;
  using Column = Int4Column;
  DOCSPEC_INLINE static Column column(const LinearWeights& weights, int64_t c, int64_t in) {
    return {static_cast<const Int4Block*>(weights.weight) + c * (in / kInt4Block)};
  }
  DOCSPEC_INLINE static int64_t column_bytes(int64_t in) {
    return in / kInt4Block * int64_t(sizeof(Int4Block));
  }
  DOCSPEC_INLINE static void prefetch(const Column& from) { fetch(from.block); }
};

/// The rest of a column after its last whole step, padded with zeros.
template <class Dot, class W>
DOCSPEC_INLINE void load_part(typename Dot::Weights& to, const W* from, int64_t n) {
  W part[Dot::kStep] = {};
  std::memcpy(part, from, size_t(n) * sizeof *part);
  Dot::load(to, part);
}

/// The input of a tile. The last column replaces missing ones; so does the last row, unless rows
/// are woven, which brings zeros.
template <class Dot, int kRows, int kColumns>
struct Tile {
  typename Dot::Column weight[kColumns];
  const typename Dot::Row* row[kRows];  // woven: the first alone
  Part part;
  typename Dot::Column soon[kColumns];  // like weight: prefetched for the next steps

  using Sums = typename Dot::Sum[kRows][kColumns];

  /// Row r's numbers of the step at place k.
  DOCSPEC_INLINE auto at(int r, int64_t k) const {
    if constexpr (Dot::kWoven)
      return row[0] + k * kRows + r * Dot::kStep;
    else
      return row[r] + k;
  }

  /// load(weights, column): of the step at place k.
  template <class Load>
  DOCSPEC_INLINE void step(int64_t k, const Load& load, Sums& sums) const {
    if constexpr (kRows < kColumns) {
      typename Dot::Values x[kRows];
      typename Dot::Weights w;
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) Dot::load_row(x[r], at(r, k));
#pragma GCC unroll 8
      for (int c = 0; c < kColumns; ++c) {
        load(w, weight[c] + k);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) Dot::add(sums[r][c], x[r], w);
      }
    } else {
      typename Dot::Values x;
      typename Dot::Weights w[kColumns];
#pragma GCC unroll 8
      for (int c = 0; c < kColumns; ++c) load(w[c], weight[c] + k);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        Dot::load_row(x, at(r, k));
#pragma GCC unroll 8
        for (int c = 0; c < kColumns; ++c) Dot::add(sums[r][c], x, w[c]);
      }
    }
  }

  DOCSPEC_INLINE void run(Sums& sums) const {
    const int64_t whole = part.last - (part.last - part.first) % Dot::kStep;
    for (int64_t k = part.first; k < whole; k += Dot::kStep) {
#pragma GCC unroll 8
      for (int c = 0; c < kColumns; ++c) Dot::prefetch(soon[c] + k);
      step(
          k, [](auto& to, auto from) DOCSPEC_INLINED { Dot::load(to, from); }, sums);
    }
    if constexpr (Dot::kHasPart) {
      const int64_t left = part.last - whole;
      if (left == 0) return;
      step(
          whole, [left](auto& to, auto from) DOCSPEC_INLINED { load_part<Dot>(to, from, left); },
          sums);
    }
  }
};

/// The totals of a tile's sums from the `kFirst`th on, sixteen at a time in registers that wide.
template <class Dot, int kFirst = 0, class Sum, class Total, int kRows, int kColumns>
DOCSPEC_INLINE void total_up(const Sum (&sums)[kRows][kColumns], Total (&to)[kRows][kColumns]) {
  constexpr int kLeft = kRows * kColumns - kFirst;
  constexpr int kHere = kLeft < kLanes ? kLeft : int(kLanes);
  if constexpr (sizeof(Sum) == 64 && kRows * kColumns >= kLanes / 2) {
    Sum some[4][4], of_some;
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i)
      some[i % 4][i / 4] =
          i < kHere ? sums[(kFirst + i) / kColumns][(kFirst + i) % kColumns] : Sum{};
    sums_of(some, of_some);
#pragma GCC unroll 16
    for (int i = 0; i < kHere; ++i)
      to[(kFirst + i) / kColumns][(kFirst + i) % kColumns] = of_some[i % 4 * 4 + i / 4];
    if constexpr (kLeft > kHere) total_up<Dot, kFirst + kHere>(sums, to);
  } else if constexpr (sizeof(Sum) == 64 && kRows == 1 && kColumns == 4) {
    typename VectorOf<Total, 16>::Type four[4], all;
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) fold(sums[0][c], four[c]);
    sums_of(four[0], four[1], four[2], four[3], all);
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) to[0][c] = all[c];
  } else {
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
      for (int c = 0; c < kColumns; ++c) to[r][c] = Dot::total(sums[r][c]);
  }
}

/// The work of one call of a kernel.
template <class Dot>
struct Share {
  const LinearRows& x;
  const LinearWeights& weights;
  int64_t last;
  float* out;
  int64_t out_row;
  int64_t group;  // columns that stay in a core's own cache while all rows pass
  int64_t ahead;  // columns from one that is worked on to the one that is fetched

  template <int kRows, int kColumns>
  DOCSPEC_INLINE void tile(const Part& part, int64_t row, int64_t column) const {
    Tile<Dot, kRows, kColumns> tile;
    tile.part = part;
    // Memory is read all the time: while one group is worked on, its rows' tiles share in fetching
    // a later one. Streams of this many columns end too soon for the processor to guess.
    const int64_t turns = (x.rows() + Dot::kTall - 1) / Dot::kTall;
    for (int i = 0; i < kColumns; ++i) {
      const int64_t c = std::min(column + i, last - 1);
      const bool mine = i % turns == row / Dot::kTall && c + ahead < last;
      tile.weight[i] = Dot::column(weights, c, x.in());
      tile.soon[i] = mine ? Dot::column(weights, c + ahead, x.in()) : tile.weight[i];
    }
    for (int i = 0; i < (Dot::kWoven ? 1 : kRows); ++i)
      tile.row[i] =
          reinterpret_cast<const typename Dot::Row*>(x.row(std::min(row + i, x.rows() - 1)));
    typename Tile<Dot, kRows, kColumns>::Sums sums = {};
    tile.run(sums);
    decltype(Dot::total(sums[0][0])) totals[kRows][kColumns];
    total_up<Dot>(sums, totals);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
      for (int c = 0; c < kColumns; ++c)
        if (row + r < x.rows() && column + c < last)
          keep_sum<Dot>(x, weights, row + r, column + c, part, totals[r][c],
                        out[(row + r) * out_row + column + c]);
  }

  template <int kRows>
  DOCSPEC_INLINE void tiles(const Part& part, int64_t row, int64_t first, int64_t end) const {
    constexpr int kColumns = Dot::wide(kRows);
    for (int64_t column = first; column < end; column += kColumns)
      tile<kRows, kColumns>(part, row, column);
  }

  /// All columns for so many parts of the sums as the second cache holds all rows of; within these
  /// a tile's rows of one part, which fit the first cache with its weights, over as many columns as
  /// the second one holds as well.
  DOCSPEC_INLINE void run(int64_t begin, int64_t part, int64_t block) const {
    const int64_t in = x.in();
    for (int64_t b = 0; b < in; b += block)
      for (int64_t first = begin; first < last; first += group)
        for (int64_t k = b; k < std::min(b + block, in); k += part)
          rows({k, std::min(k + part, in), in}, first, std::min(first + group, last));
  }

  DOCSPEC_INLINE void rows(const Part& part, int64_t first, int64_t end) const {
    int64_t row = 0;
    for (; x.rows() - row > Dot::kTall / 2; row += Dot::kTall)
      tiles<Dot::kTall>(part, row, first, end);
    if (Dot::kTall > 4 && x.rows() - row > 2) {
      tiles<4>(part, row, first, end);
      row += 4;
    }
    if (x.rows() - row == 2) tiles<2>(part, row, first, end);
    if (x.rows() - row == 1) tiles<1>(part, row, first, end);
  }
};

template <class Dot>
DOCSPEC_INLINE void share(const LinearRows& x, const LinearWeights& weights, int64_t first,
                          int64_t last, float* out, int64_t out_row) {
  constexpr int64_t kGroupBytes = 128 << 10, kAheadBytes = 8 << 10, kRowBytes = 256 << 10;
  constexpr int64_t kTogether = 12;  // columns: a multiple of those of any tile
  const int64_t parts = (x.in() + Dot::kMostOfPart - 1) / Dot::kMostOfPart;
  const int64_t part = ((x.in() + parts - 1) / parts + Dot::kStep - 1) / Dot::kStep * Dot::kStep;
  const int64_t row_bytes = x.rows() * part * int64_t(sizeof(typename Dot::Row));
  const int64_t block = std::max<int64_t>(1, kRowBytes / row_bytes) * part;
  const int64_t bytes = std::max<int64_t>(1, Dot::column_bytes(std::min(block, x.in())));
  const auto columns = [&](int64_t in_bytes, int64_t together) {
    return std::max<int64_t>(1, in_bytes / (bytes * together)) * together;
  };
  const int64_t group = x.rows() <= 4            ? Dot::wide(int(x.rows()))
                        : x.rows() <= Dot::kTall ? kTogether
                                                 : columns(kGroupBytes, kTogether);
  const int64_t ahead = std::max(group, columns(kAheadBytes, group));
  Share<Dot>{x, weights, last, out, out_row, group, ahead}.run(first, part, block);
}

}  // namespace
}  // namespace docspec
