#pragma once

// From the logits of packed trees to what is taken of each tree.
//
// DrawRow   a token of the distribution that temperature, top-k and top-p leave of a row, by
// inversion with
//           a number in [0, 1) that the host gives: settings [rows], logits [rows, vocab] f32 ->
//           token [rows]. A block = a row. The least number that top-k and top-p keep is found bit
//           by bit, from counts and from sums of weights; weights and sums are f64, in an order of
//           the row's own. Equals core/decode/sample/sampling.h and CounterRandom::draw up to the
//           rounding of a sum.
// WalkTrees from each root to the child that has the row's choice, and on: place [rows]. One block.
// Measured  not yet: no GPU was there
#include <cmath>

#include "core/ops/row_sampling.h"
#include "cuda/select.cuh"

namespace docspec::cuda {

/// A number of which `x` is the order.
DOCSPEC_HD float float_of_order(uint32_t x) {
  return float_of_bits(x >> 31 ? x & 0x7fffffffu : ~x);
}

struct DrawRow {
  static constexpr int kThreads = 256, kHalvings = 8;  // 2^8 threads
  static constexpr int kRound = kHalvings + 2;         // phases of a sum and what follows from it
  static constexpr int kBits = 32;

  const float* logits = nullptr;          ///< [rows, vocab]
  const RowSampling* settings = nullptr;  ///< [rows]
  int32_t* token = nullptr;               ///< [rows]
  int vocab = 0;

  struct Shared {
    float best[kThreads];
    double sum[kThreads];
    int ties[kThreads];
    uint32_t least;  ///< order of the least number that is kept
    double all;      ///< weight of what top-k leaves
    int kept_ties;   ///< how many of those equal to the least, from the lowest index on
    int run;         ///< which thread's run holds the token
    double left;     ///< of the way into it
  };
  struct Thread {};

  DOCSPEC_HD bool phase(int n, const ThreadBlock& block, int thread, Shared& s, Thread&) const {
    const float* row = logits + int64_t(block.x) * vocab;
    const RowSampling& how = settings[block.x];
    if (n <= kHalvings) {
      find_top(n, row, thread, s);
      return true;
    }
    n -= kHalvings + 1;
    // Rounds: 32 bits of top-k's least number, the weight of what it leaves, 32 bits of top-p's.
    if (n < (2 * kBits + 1) * kRound) {
      const int round = n / kRound, step = n % kRound;
      if (step == 0)
        s.sum[thread] = part(round, row, how, thread, s);
      else if (step <= kHalvings)
        halve(step, thread, s.sum);
      else if (thread == 0)
        decide(round, how, s);
      return true;
    }
    n -= (2 * kBits + 1) * kRound;
    return draw(n, row, how, block.x, thread, s);
  }

  DOCSPEC_HD void find_top(int n, const float* row, int thread, Shared& s) const {
    if (n == 0) {
      float best = row[thread < vocab ? thread : 0];
      for (int i = thread; i < vocab; i += kThreads) best = row[i] > best ? row[i] : best;
      s.best[thread] = best;
      if (thread == 0) s.least = 0;
    } else if (const int half = kThreads >> n; thread < half) {
      if (s.best[thread + half] > s.best[thread]) s.best[thread] = s.best[thread + half];
    }
  }
  DOCSPEC_HD static void halve(int step, int thread, double (&sum)[kThreads]) {
    const int half = kThreads >> step;
    if (thread < half) sum[thread] += sum[thread + half];
  }
  DOCSPEC_HD static double weight(float x, const RowSampling& how, const Shared& s) {
    return exp((double(x) - double(s.best[0])) / how.temperature);
  }

  /// What the round adds up, of this thread's numbers: how many, or their weights.
  DOCSPEC_HD double part(int round, const float* row, const RowSampling& how, int thread,
                         const Shared& s) const {
    if (idle(round, how)) return 0;
    const uint32_t from = asked(round, s);
    double sum = 0;
    for (int i = thread; i < vocab; i += kThreads)
      if (ordered(row[i]) >= from) sum += round < kBits ? 1 : weight(row[i], how, s);
    return sum;
  }
  /// Rounds of a cut that is not asked for.
  DOCSPEC_HD bool idle(int round, const RowSampling& how) const {
    return round < kBits ? how.top_k <= 0 || how.top_k >= vocab : how.top_p >= 1;
  }
  /// The round's try at the least number.
  DOCSPEC_HD static uint32_t asked(int round, const Shared& s) {
    if (round == kBits) return s.least;
    const uint32_t bit = 1u << (kBits - 1 - (round < kBits ? round : round - kBits - 1));
    return round < kBits ? s.least | bit : s.least + bit;
  }
  DOCSPEC_HD void decide(int round, const RowSampling& how, Shared& s) const {
    if (idle(round, how)) return;
    if (round == kBits) {
      s.all = s.sum[0];
      return;
    }
    const uint32_t tried = asked(round, s);
    const bool within = tried > s.least && tried <= ordered(s.best[0]);
    const double wanted = round < kBits ? double(how.top_k) : how.top_p * s.all;
    if (within && s.sum[0] >= wanted) s.least = tried;
  }

  DOCSPEC_HD bool draw(int n, const float* row, const RowSampling& how, int index, int thread,
                       Shared& s) const {
    const int run = (vocab + kThreads - 1) / kThreads, first = thread * run,
              last = first + run < vocab ? first + run : vocab;
    const bool cut = how.top_p < 1;
    if (n == 0) {  // the weight above the least number, and who is equal to it
      s.sum[thread] = 0;
      s.ties[thread] = 0;
      for (int i = first; i < last; ++i) {
        const uint32_t x = ordered(row[i]);
        if (cut && x > s.least) s.sum[thread] += weight(row[i], how, s);
        s.ties[thread] += x == s.least;
      }
    } else if (n <= kHalvings) {
      halve(n, thread, s.sum);
    } else if (n == kHalvings + 1) {
      if (thread == 0) count_ties(how, s);
    } else if (n == kHalvings + 2) {
      s.sum[thread] = 0;
      each_kept(row, first, last, thread, s, [&](int i) {
        s.sum[thread] += weight(row[i], how, s);
        return true;
      });
    } else if (n == kHalvings + 3) {
      if (thread == 0) choose_run(how, s);
      if (thread == 0 && s.run < 0) token[index] = 0;
    } else {
      if (thread == s.run) {
        double left = s.left;
        each_kept(row, first, last, thread, s, [&](int i) {
          const double w = weight(row[i], how, s);
          if (w > 0) token[index] = i;  // rounding may leave a rest after the last one
          if (left < w) return false;
          left -= w;
          return true;
        });
      }
      return false;
    }
    return true;
  }

  /// f(index) for the numbers of a run that are kept, in order, until it says no.
  template <class F>
  DOCSPEC_HD void each_kept(const float* row, int first, int last, int thread, const Shared& s,
                            const F& f) const {
    int ties = s.ties[thread];
    for (int i = first; i < last; ++i) {
      const uint32_t x = ordered(row[i]);
      const bool kept = x > s.least || (x == s.least && ties < s.kept_ties);
      ties += x == s.least;
      if (kept && !f(i)) return;
    }
  }

  /// Ties of each run become those of all runs before it.
  DOCSPEC_HD void count_ties(const RowSampling& how, Shared& s) const {
    int ties = 0;
    for (int i = 0; i < kThreads; ++i) {
      const int own = s.ties[i];
      s.ties[i] = ties;
      ties += own;
    }
    s.kept_ties = ties;
    if (how.top_p >= 1) return;
    const double missing = how.top_p * s.all - s.sum[0],
                 one = weight(float_of_order(s.least), how, s), most = double(ties);
    const double kept = ceil(missing / one);
    s.kept_ties = kept < 1 ? 1 : kept < most ? int(kept) : ties;
  }

  DOCSPEC_HD static void choose_run(const RowSampling& how, Shared& s) {
    double all = 0;
    for (int i = 0; i < kThreads; ++i) all += s.sum[i];
    s.run = -1;
    if (!(all > 0) || all > 1e300) return;  // nothing but -inf, or no number
    double left = how.uniform * all;
    for (int i = 0; i < kThreads; ++i) {
      if (!(s.sum[i] > 0)) continue;
      s.run = i;
      s.left = left;
      if (left < s.sum[i]) return;
      left -= s.sum[i];
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
