#pragma once

// The k largest numbers of each row, of equals those of the lowest index.
//
// Inputs    scores [rows, n] f32, no NaN
// Outputs   their indices, ascending: [rows, k] int64
// Mapping   a block = a row: the k-th largest number is found byte by byte from counts of 256
//           buckets; then a thread = a run of neighbouring indices, which it writes in their order
// Numerics  none: numbers are compared as whole numbers that are ordered as they are
// Measured  right on an H200; not timed alone (tests/bench/results/gpu.json)
// Equals    core/ops/ops_aten.cc
#include "cuda/numbers.cuh"

namespace docspec::cuda {

/// Whole numbers in the order of the floats; -0 as 0.
DOCSPEC_HD uint32_t ordered(float x) {
  const uint32_t bits = bits_of_float(x == 0 ? 0.0f : x);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/// One more; many threads of a block may count the same.
DOCSPEC_HD void count(int& number) {
#if defined(__CUDA_ARCH__)
  atomicAdd(&number, 1);
#else
  ++number;
#endif
}

struct SelectTop {
  static constexpr int kThreads = 256, kDigits = 4;  // a bucket a thread; bytes of a number

  const float* scores = nullptr;
  int64_t* out = nullptr;
  int n = 0, k = 0;  ///< 0 < k <= n

  struct Shared {
    int bucket[kThreads];
    int above[kThreads], equal[kThreads];  ///< of a thread's run, then of all runs before it
    uint32_t found;                        ///< digits of the k-th largest, from the highest on
    int left;                              ///< which of those that begin with `found` it is
  };
  struct Thread {};

  DOCSPEC_HD bool phase(int step, const ThreadBlock& block, int thread, Shared& s, Thread&) const {
    const float* row = scores + int64_t(block.x) * n;
    const int digit = step / 3, run = (n + kThreads - 1) / kThreads, first = thread * run,
              last = first + run < n ? first + run : n;
    if (digit < kDigits) {
      const int shift = 8 * (kDigits - 1 - digit);
      if (step == 0 && thread == 0) s.found = 0, s.left = k;
      if (step % 3 == 0) s.bucket[thread] = 0;
      if (step % 3 == 1)
        for (int i = thread; i < n; i += kThreads) {
          const uint32_t x = ordered(row[i]);
          if (digit == 0 || x >> (shift + 8) == s.found) count(s.bucket[x >> shift & 255]);
        }
      if (step % 3 == 2 && thread == 0) choose(s);
      return true;
    }
    if (step == 3 * kDigits) {
      s.above[thread] = s.equal[thread] = 0;
      for (int i = first; i < last; ++i) {
        s.above[thread] += ordered(row[i]) > s.found;
        s.equal[thread] += ordered(row[i]) == s.found;
      }
      return true;
    }
    if (step == 3 * kDigits + 1) {
      if (thread == 0) sum_up(s);
      return true;
    }
    int above = s.above[thread], equal = s.equal[thread];
    for (int i = first; i < last; ++i) {
      const uint32_t x = ordered(row[i]);
      const int at = above + (equal < s.left ? equal : s.left);
      if (x > s.found || (x == s.found && equal < s.left)) out[int64_t(block.x) * k + at] = i;
      above += x > s.found;
      equal += x == s.found;
    }
    return false;
  }

  /// The bucket that holds the number looked for.
  DOCSPEC_HD static void choose(Shared& s) {
    int bucket = kThreads - 1;
    while (s.left > s.bucket[bucket]) s.left -= s.bucket[bucket--];
    s.found = s.found << 8 | uint32_t(bucket);
  }

  DOCSPEC_HD static void sum_up(Shared& s) {
    int above = 0, equal = 0;
    for (int i = 0; i < kThreads; ++i) {
      const int a = s.above[i], e = s.equal[i];
      s.above[i] = above, s.equal[i] = equal;
      above += a, equal += e;
    }
  }
};

}  // namespace docspec::cuda
