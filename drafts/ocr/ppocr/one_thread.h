#pragma once

#include <ATen/Parallel.h>
#include <omp.h>

namespace docspec {

/// Keeps libtorch to this thread. Other than NoTeams it tells oneDNN and MKL so beforehand: they
/// share work out by the number of threads they expect, and a team that is smaller leaves shares
/// undone.
class OneThread {
 public:
  OneThread() {
    at::get_num_threads();  // sets this thread's number at its first call
    threads_ = omp_get_max_threads();
    omp_set_num_threads(1);
  }
  ~OneThread() { omp_set_num_threads(threads_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int threads_ = 1;
};

}  // namespace docspec
