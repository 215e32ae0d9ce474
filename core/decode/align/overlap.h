#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace docspec {

/// Number of elements at the ends of `a` and `b` that agree.
template <typename T>
size_t common_end(std::span<const T> a, std::span<const T> b) {
  size_t n = 0;
  while (n < std::min(a.size(), b.size()) && a[a.size() - 1 - n] == b[b.size() - 1 - n]) ++n;
  return n;
}

/// A position in a run that the output has written in part.
struct Overlap {
  size_t at = 0;    ///< elements of the run before it
  size_t same = 0;  ///< of them, those that agree with the end of the output; 0 = no overlap
};

/// The position in `run` up to which the longest suffix of `said` occurs; the first of equal ones.
template <typename T>
Overlap overlap(std::span<const T> run, std::span<const T> said) {
  Overlap best;
  for (size_t at = 1; at <= run.size(); ++at)
    if (const size_t same = common_end(run.first(at), said); same > best.same) best = {at, same};
  return best;
}

}  // namespace docspec
