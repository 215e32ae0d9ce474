#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace docspec {

/// The middle one of `values` in order, of an even number the upper of the two; not empty.
template <typename T>
T median(std::vector<T> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace docspec
