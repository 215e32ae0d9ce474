#pragma once

// From the logits of packed trees to what is taken of each tree.
//
// DrawRow   a token of the distribution that temperature, top-k and top-p leave of a row, by
//           inversion with a number in [0, 1) that the host gives; 0 where a row has none.
//           Settings [rows], logits [rows, vocab] f32 -> token [rows]; vocab < 2^19
// WalkTrees from each root to the child that has the row's choice, and on: place [rows]. One block
// Mapping   DrawRow: a block = a row. The least number that top-k keeps is found byte by byte from
//           counts of 256 buckets, then top-p's from their weights; the token, and before it the
//           last of equal numbers that top-p keeps, from sums over a warp's eighth of the row, then
//           over a thread's share of that. A row is read at most 12 times, twice where nothing is
//           cut
// Numerics  weights are whole numbers, e^((x - largest) / temperature) in units of 2^-44: their
// sums
//           are exact in any order, and so a row's bits are its own
// Measured  right on an H200; not timed alone (tests/bench/results/gpu.json)
// Equals    core/decode/sample/sampling.h and CounterRandom::draw up to the rounding of weights
#include <cmath>

#include "core/ops/row_sampling.h"
#include "cuda/select.cuh"

namespace docspec::cuda {

/// sum += more; many threads of a block may add to the same.
DOCSPEC_HD void add(uint64_t& sum, uint64_t more) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(unsigned long long) == sizeof(uint64_t));
  atomicAdd(reinterpret_cast<unsigned long long*>(&sum), static_cast<unsigned long long>(more));
#else
  sum += more;
#endif
}

/// A number of which `x` is the order.
DOCSPEC_HD float float_of_order(uint32_t x) {
  return float_of_bits(x >> 31 ? x & 0x7fffffffu : ~x);
}

struct DrawRow {
  static constexpr int kThreads = 256, kHalvings = 8;  // 2^8 threads, a bucket each
  static constexpr int kWarp = 32, kDigits = 4;        // bytes of a number
  static constexpr int kCuts = 2;                      // top-k, then top-p
  static constexpr double kUnits = double(uint64_t(1) << 44);

  const float* logits = nullptr;          ///< [rows, vocab]
  const RowSampling* settings = nullptr;  ///< [rows]
  int32_t* token = nullptr;               ///< [rows]
  int vocab = 0;

  struct Shared {
    float top[kThreads];
    uint64_t sum[kThreads];  ///< of buckets, or of what each thread read
    uint32_t least;          ///< order of the least number that is kept
    uint32_t found;          ///< its first bytes, while it is looked for
    uint64_t left;           ///< how much lies before what is looked for, of what is not passed yet
    int first, last;         ///< where in the row it is
    int last_tie;            ///< of those equal to the least, the last one that is kept
  };
  struct Thread {};

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared& s, Thread&) const {
    const float* row = logits + int64_t(block.x) * vocab;
    const RowSampling& how = settings[block.x];
    constexpr int kCut = 3 * kDigits, kSearch = 5;
    if (n <= kHalvings) {
      find_top(n, row, thread, s);
      return true;
    }
    n -= kHalvings + 1;
    if (n < kCuts * kCut) {
      if (asked(n / kCut, how)) cut(n / kCut, n % kCut / 3, n % 3, row, how, thread, s);
      return true;
    }
    n -= kCuts * kCut;
    if (n < kSearch) {
      if (how.top_p < 1) search(n, row, how, true, thread, s, s.last_tie);
      return true;
    }
    n -= kSearch;
    search(n, row, how, false, thread, s, token[block.x]);
    return n + 1 < kSearch;
  }

  /// No number where one of the row is none.
  DOCSPEC_HD void find_top(int n, const float* row, int thread, Shared& s) const {
    if (n == 0) {
      float top = row[thread < vocab ? thread : 0];
      for (int i = thread; i < vocab; i += kThreads) top = higher(top, row[i]);
      s.top[thread] = top;
      if (thread == 0) s.least = 0, s.last_tie = vocab;
    } else if (const int half = kThreads >> n; thread < half) {
      s.top[thread] = higher(s.top[thread], s.top[thread + half]);
    }
  }
  DOCSPEC_HD static float higher(float a, float b) { return b > a || b != b ? b : a; }

  /// 0 of what is no number.
  DOCSPEC_HD static uint64_t weight(float x, const RowSampling& how, const Shared& s) {
    const double of_top = exp((double(x) - double(s.top[0])) / how.temperature);
    return of_top > 0 ? uint64_t(of_top * kUnits + 0.5) : 0;
  }

  DOCSPEC_HD bool asked(int cut, const RowSampling& how) const {
    return cut == 0 ? how.top_k > 0 && how.top_k < vocab : how.top_p < 1;
  }
  /// One byte of the least number that a cut keeps: buckets are emptied, filled, one is chosen.
  DOCSPEC_HD void cut(int which, int digit, int step, const float* row, const RowSampling& how,
                      int thread, Shared& s) const {
    const int shift = 8 * (kDigits - 1 - digit);
    if (step == 0) {
      s.sum[thread] = 0;
      if (thread == 0 && digit == 0) s.found = 0;
    } else if (step == 1) {
      for (int i = thread; i < vocab; i += kThreads) {
        const uint32_t x = ordered(row[i]);
        if (x < s.least || (digit > 0 && x >> (shift + 8) != s.found)) continue;
        if (const uint64_t own = which == 0 ? 1 : weight(row[i], how, s); own > 0)
          add(s.sum[x >> shift & 255], own);
      }
    } else if (thread == 0) {
      if (digit == 0) s.left = which == 0 ? uint64_t(how.top_k) : share(how, s);
      choose(s);
      if (digit + 1 < kDigits) return;
      s.least = s.found;
      if (which == 1) s.left = last_of_ties(how, s);
    }
  }
  /// What top-p asks for of all that top-k leaves.
  DOCSPEC_HD static uint64_t share(const RowSampling& how, const Shared& s) {
    uint64_t all = 0;
    for (int i = 0; i < kThreads; ++i) all += s.sum[i];
    const double wanted = ceil(how.top_p * double(all));
    return wanted < 1 ? 1 : uint64_t(wanted) < all ? uint64_t(wanted) : all;
  }
  /// The bucket that holds the number looked for.
  DOCSPEC_HD static void choose(Shared& s) {
    int bucket = kThreads - 1;
    while (bucket > 0 && s.left > s.sum[bucket]) s.left -= s.sum[bucket--];
    s.found = s.found << 8 | uint32_t(bucket);
  }
  /// How many of those equal to the least lie before the last one that is kept.
  DOCSPEC_HD static uint64_t last_of_ties(const RowSampling& how, const Shared& s) {
    const uint64_t one = weight(float_of_order(s.least), how, s);
    return one > 0 ? (s.left - 1) / one : 0;
  }

  /// The first place in the row up to which there is more than `left`: of those equal to the least
  /// one each, else of the weights of what is kept, with `left` drawn. From the whole row to a
  /// warp's part, to a thread's, to a place.
  DOCSPEC_HD void search(int step, const float* row, const RowSampling& how, bool tied, int thread,
                         Shared& s, int32_t& place) const {
    if (step == 0 && thread == 0) s.first = 0, s.last = vocab;
    if (step == 0) add_up(kWarp, 0, vocab, row, how, tied, thread, s);
    if (step == 2) add_up(1, s.first, s.last, row, how, tied, thread, s);
    if (thread > 0) return;
    if (step == 1) {
      if (!tied) draw(how, s);
      narrow_to(kWarp, s);
    }
    if (step == 3) narrow_to(1, s);
    if (step == 4) {
      int i = s.first;
      for (uint64_t left = s.left; i + 1 < s.last; ++i) {
        const uint64_t own = measure(i, row, how, tied, s);
        if (left < own) break;
        left -= own;
      }
      place = i;
    }
  }
  DOCSPEC_HD static int length_of_part(int group, int first, int last) {
    const int parts = kThreads / group;
    return (last - first + parts - 1) / parts;
  }
  /// Of [first, last) in parts, one of `group` neighbouring threads each.
  DOCSPEC_HD void add_up(int group, int first, int last, const float* row, const RowSampling& how,
                         bool tied, int thread, Shared& s) const {
    const int length = length_of_part(group, first, last), begin = first + thread / group * length,
              end = begin + length < last ? begin + length : last;
    uint64_t sum = 0;
    for (int i = begin + thread % group; i < end; i += group) sum += measure(i, row, how, tied, s);
    s.sum[thread] = sum;
  }
  DOCSPEC_HD uint64_t measure(int i, const float* row, const RowSampling& how, bool tied,
                              const Shared& s) const {
    const uint32_t x = ordered(row[i]);
    if (tied) return x == s.least;
    return x > s.least || (x == s.least && i <= s.last_tie) ? weight(row[i], how, s) : 0;
  }
  DOCSPEC_HD static void draw(const RowSampling& how, Shared& s) {
    uint64_t all = 0;
    for (int i = 0; i < kThreads; ++i) all += s.sum[i];
    const auto drawn = uint64_t(how.uniform * double(all));
    s.left = drawn < all ? drawn : all > 0 ? all - 1 : 0;
    if (all == 0) s.last = 1;  // the first one, where the row has no distribution
  }
  DOCSPEC_HD static void narrow_to(int group, Shared& s) {
    const int length = length_of_part(group, s.first, s.last);
    for (int part = 0; part < kThreads / group; ++part) {
      uint64_t own = 0;
      for (int i = 0; i < group; ++i) own += s.sum[part * group + i];
      if (s.left < own) {
        s.first += part * length;
        s.last = s.first + length < s.last ? s.first + length : s.last;
        return;
      }
      s.left -= own;
    }
  }
};

struct WalkTrees {
  static constexpr int kThreads = 256;

  const int32_t *choice = nullptr, *token = nullptr, *parent = nullptr;  ///< [rows]
  int32_t* next = nullptr;                                               ///< [rows] scratch
  int32_t* place = nullptr;  ///< [rows] RowStats::path_position
  int rows = 0;

  struct Shared {};
  struct Thread {};

  DOCSPEC_HD bool phase(int n, const ThreadBlock&, int thread, Shared&, Thread&) const {
    for (int row = thread; row < rows; row += kThreads) {
      const int32_t above = parent[row];
      if (n == 0) next[row] = place[row] = -1;
      if (n == 1 && above >= 0 && token[row] == choice[above]) next[above] = row;
      if (n == 2 && above < 0)
        for (int32_t at = row, length = 0; at >= 0; at = next[at]) place[at] = length++;
    }
    return n < 2;
  }
};

}  // namespace docspec::cuda
