#pragma once

#include <cstdint>

namespace docspec::test {

/// Counts, while it lives, what a GPU would be asked to start: libtorch's operations that compute
/// or copy (views and empty memory are none), one each, on tensors of any device, also without
/// numbers (meta).
class Launches {
 public:
  Launches();
  ~Launches();
  Launches(const Launches&) = delete;
  Launches& operator=(const Launches&) = delete;
  int64_t count() const;

 private:
  uint64_t handle_;
};

}  // namespace docspec::test
