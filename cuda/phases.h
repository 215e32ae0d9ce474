#pragma once

// Kernels as phases: between two of them all threads of a block meet. The same code runs on a GPU,
// where a phase ends in a barrier, and on the host, thread after thread, so that a kernel's
// arithmetic is tested where no GPU is. No warp does anything that its threads could not do alone.
#if defined(__CUDACC__)
#define DOCSPEC_HD __host__ __device__ __forceinline__
#else
#define DOCSPEC_HD inline
#endif

#include <cstdint>
#include <vector>

namespace docspec::cuda {

/// Where a block lies in its grid.
struct Block {
  int x = 0, y = 0;
};

/// Runs block after block on the host. A kernel has kThreads; Shared, what a block's threads have
/// in common; Thread, what each keeps; and `bool phase(n, block, thread, Shared&, Thread&) const`,
/// false (for all threads alike) when the last phase has run.
template <class Kernel>
void run_on_host(const Kernel& kernel, int blocks_x, int blocks_y) {
  for (int y = 0; y < blocks_y; ++y)
    for (int x = 0; x < blocks_x; ++x) {
      std::vector<typename Kernel::Shared> shared(1);
      std::vector<typename Kernel::Thread> threads(Kernel::kThreads);
      bool more = true;
      for (int n = 0; more; ++n)
        for (int t = 0; t < Kernel::kThreads; ++t)
          more = kernel.phase(n, {x, y}, t, shared[0], threads[size_t(t)]);
    }
}

}  // namespace docspec::cuda
