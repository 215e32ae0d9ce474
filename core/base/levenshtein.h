#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace docspec {

/// Levenshtein distance of two sequences: the least number of elements to insert, delete or
/// replace. Takes O(size of both multiplied) time.
template <typename Sequence>
size_t levenshtein(const Sequence& a, const Sequence& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] != b[j])});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace docspec
