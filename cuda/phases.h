#pragma once

// Kernels as phases: between two of them all threads of a block meet. The same code runs on a GPU,
// where a phase ends in a barrier, and on the host, thread after thread, so that a kernel's
// arithmetic is tested where no GPU is. What a warp does as one is in cuda/lanes.h.
#if defined(__CUDACC__)
#define DOCSPEC_HD __host__ __device__ __forceinline__
#else
#define DOCSPEC_HD inline
#endif
// Before a loop over what a thread keeps, so that it stays in registers.
#if defined(__CUDA_ARCH__)
#define DOCSPEC_UNROLL _Pragma("unroll")
#else
#define DOCSPEC_UNROLL
#endif

#include <cstdint>
#include <vector>

namespace docspec::cuda {

/// Where a block lies in its grid.
struct ThreadBlock {
  int x = 0, y = 0;
};

/// Phase n of one thread. A kernel has kThreads; Shared, what a block's threads have in common;
/// Thread, what each keeps; and `bool phase(n, block, thread, Shared&, Thread&) const`, false (for
/// all threads alike) when the last phase has run. One whose warps work as one names Lanes and gets
/// its own as a sixth argument. `warp`: what the threads of this one's warp keep, on the host.
template <class Kernel, class Shared, class Thread>
DOCSPEC_HD bool run_phase(const Kernel& kernel, int n, const ThreadBlock& block, int thread,
                          Shared& shared, Thread& own, [[maybe_unused]] const Thread* warp) {
  if constexpr (requires { typename Kernel::Lanes; })
    return kernel.phase(n, block, thread, shared, own, typename Kernel::Lanes{warp});
  else
    return kernel.phase(n, block, thread, shared, own);
}

/// Kernels that run_on_host ran.
inline int64_t host_launches = 0;

/// Runs block after block on the host.
template <class Kernel>
void run_on_host(const Kernel& kernel, int blocks_x, int blocks_y) {
  ++host_launches;
  for (int y = 0; y < blocks_y; ++y)
    for (int x = 0; x < blocks_x; ++x) {
      std::vector<typename Kernel::Shared> shared(1);
      std::vector<typename Kernel::Thread> threads(Kernel::kThreads);
      bool more = true;
      for (int n = 0; more; ++n)
        for (int t = 0; t < Kernel::kThreads; ++t)
          more = run_phase(kernel, n, {x, y}, t, shared[0], threads[size_t(t)],
                           threads.data() + t / 32 * 32);
    }
}

}  // namespace docspec::cuda
