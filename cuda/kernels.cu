#include <stdexcept>
#include <string>

#include "cuda/kernels.h"

namespace docspec::cuda {
namespace {

template <class Kernel>
__device__ __forceinline__ void run_block(const Kernel& kernel, const ThreadBlock& block,
                                          typename Kernel::Shared& shared) {
  typename Kernel::Thread own;
  const typename Kernel::Thread* const no_warp = nullptr;  // lanes speak for themselves
  for (int n = 0; run_phase(kernel, n, block, int(threadIdx.x), shared, own, no_warp); ++n)
    __syncthreads();
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads) run_phases(const Kernel kernel) {
  __shared__ typename Kernel::Shared shared;
  run_block(kernel, {int(blockIdx.x), int(blockIdx.y)}, shared);
}

/// Blocks up to which near and far keys are attended by one kernel: together they take the
/// registers of the greedier, and of more blocks fewer would run at a time. Estimated, for 132
/// multiprocessors and a pass of up to 32 rows; to be measured.
constexpr int kMostTogether = 512;

/// Two kernels at once: the first `blocks` columns of blocks are those of `one`.
template <class One, class Other>
__global__ void __launch_bounds__(One::kThreads)
    run_both(const One one, const Other other, const int blocks) {
  static_assert(One::kThreads == Other::kThreads);
  using OneShared = typename One::Shared;
  using OtherShared = typename Other::Shared;
  constexpr size_t kBytes =
      sizeof(OneShared) > sizeof(OtherShared) ? sizeof(OneShared) : sizeof(OtherShared);
  __shared__ alignas(16) char memory[kBytes];
  const int x = int(blockIdx.x), y = int(blockIdx.y);
  if (x < blocks)
    run_block(one, {x, y}, *reinterpret_cast<OneShared*>(memory));
  else
    run_block(other, {x - blocks, y}, *reinterpret_cast<OtherShared*>(memory));
}

void check_start() {
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
    throw std::runtime_error(std::string("a CUDA kernel cannot be started: ") +
                             cudaGetErrorString(error));
}

template <class Kernel>
void start(const Kernel& kernel, int64_t blocks_x, int blocks_y, void* stream) {
  if (blocks_x <= 0 || blocks_y <= 0) return;
  run_phases<<<dim3(unsigned(blocks_x), unsigned(blocks_y)), Kernel::kThreads, 0,
               static_cast<cudaStream_t>(stream)>>>(kernel);
  check_start();
}

template <class One, class Other>
void start_both(const One& one, int blocks_x, const Other& other, int other_blocks_x, int blocks_y,
                void* stream) {
  if (blocks_x + other_blocks_x <= 0 || blocks_y <= 0) return;
  run_both<<<dim3(unsigned(blocks_x + other_blocks_x), unsigned(blocks_y)), One::kThreads, 0,
             static_cast<cudaStream_t>(stream)>>>(one, other, blocks_x);
  check_start();
}

int64_t blocks(int64_t n, int threads) {
  return (n + threads - 1) / threads;
}

/// f(std::integral_constant) for the head size.
template <class F>
void for_dim(int dim, const F& f) {
  switch (dim) {
    case 16:
      return f(std::integral_constant<int, 16>());
    case 32:
      return f(std::integral_constant<int, 32>());
    case 64:
      return f(std::integral_constant<int, 64>());
    case 80:
      return f(std::integral_constant<int, 80>());
    case 96:
      return f(std::integral_constant<int, 96>());
    case 128:
      return f(std::integral_constant<int, 128>());
    case 256:
      return f(std::integral_constant<int, 256>());
    default:
      throw std::runtime_error("no CUDA attention for heads of " + std::to_string(dim));
  }
}

}  // namespace

void attend(const Attention& pass, int tasks, int tile_tasks, const Parts& parts, void* out,
            float* log_sum, void* stream) {
  for_dim(pass.dim, [&](auto size) {
    constexpr int kDim = decltype(size)::value;
    const auto by_paths = [&](auto number) {
      return TreeAttention<kDim, decltype(number)>{pass.tables,  pass.layer, pass.q,
                                                   pass.q_scale, pass.heads, pass.kv_heads,
                                                   pass.part,    parts};
    };
    const auto merge = [&](auto number) {
      using T = decltype(number);
      start(MergeParts<kDim, T>{parts, pass.tables, static_cast<T*>(out), log_sum, pass.heads},
            pass.rows, pass.heads, stream);
    };
    if (!pass.bf16) {
      start(by_paths(float()), tasks, pass.kv_heads, stream);
      return merge(float());
    }
    const TileAttention<kDim> tiles{pass.tables, pass.layer,    pass.q, pass.q_scale,
                                    pass.heads,  pass.kv_heads, parts};
    const auto paths = by_paths(Bfloat16());
    if ((tasks + tile_tasks) * pass.kv_heads <= kMostTogether) {
      start_both(tiles, tile_tasks, paths, tasks, pass.kv_heads, stream);
    } else {
      start(tiles, tile_tasks, pass.kv_heads, stream);
      start(paths, tasks, pass.kv_heads, stream);
    }
    merge(Bfloat16());
  });
}

void look(const Attention& pass, int job, int rows, const float* log_sum, int begin, int end,
          float* out, void* stream) {
  for_dim(pass.dim, [&](auto size) {
    const auto by_keys = [&](auto number) {
      using Kernel = LookedAt<decltype(size)::value, decltype(number)>;
      start(Kernel{pass.tables, pass.layer, job, pass.q, pass.q_scale, log_sum, pass.heads,
                   pass.kv_heads, begin, end, out},
            blocks(end - begin, Kernel::kThreads), rows, stream);
    };
    if (pass.bf16)
      by_keys(Bfloat16());
    else
      by_keys(float());
  });
}

void run(const RowStatistics& kernel, int rows, void* stream) {
  start(kernel, rows, RowStatistics::parts_of(kernel.vocab), stream);
}
void run(const MergeStatistics& kernel, void* stream) {
  start(kernel, 1, 1, stream);
}
template <class T, class W>
void run(const NormRows<T, W>& kernel, int rows, void* stream) {
  start(kernel, rows, 1, stream);
}
void run(const MakeRotary& kernel, void* stream) {
  start(kernel, blocks(kernel.rows * kernel.dim, kernel.kThreads), 1, stream);
}
template <class T>
void run(const TurnHeads<T>& kernel, void* stream) {
  start(kernel, blocks(kernel.pairs(), kernel.kThreads), 1, stream);
}
template <class T>
void run(const RotateRows<T>& kernel, void* stream) {
  start(kernel, blocks(kernel.rows * kernel.heads * kernel.dim, kernel.kThreads), 1, stream);
}
template <class T>
void run(const RotateAppend<T>& kernel, void* stream) {
  start(kernel, blocks(kernel.rows * kernel.width(), kernel.kThreads), 1, stream);
}
template <class T>
void run(const SwigluRows<T>& kernel, void* stream) {
  start(kernel, blocks(kernel.rows * kernel.width, kernel.kThreads), 1, stream);
}
void run(const KeepRows& kernel, void* stream) {
  start(kernel, blocks(kernel.columns, KeepRows::kThreads), 1, stream);
}

void run(const SelectTop& kernel, int rows, void* stream) {
  start(kernel, rows, 1, stream);
}

void run(const DrawRow& kernel, int rows, void* stream) {
  start(kernel, rows, 1, stream);
}
void run(const WalkTrees& kernel, void* stream) {
  start(kernel, 1, 1, stream);
}
template <class Kernel>
void run(const Kernel& kernel, int64_t blocks_x, int blocks_y, void* stream) {
  start(kernel, blocks_x, blocks_y, stream);
}

template void run(const ConvolveRows&, int64_t, int, void*);
template void run(const UnitKeys&, int64_t, int, void*);
template void run(const DeltaProducts&, int64_t, int, void*);
template void run(const DeltaColumns&, int64_t, int, void*);
template void run(const FoldStates&, int64_t, int, void*);
template void run(const KeepDeltaRows&, int64_t, int, void*);
template void run(const NormRows<float>&, int, void*);
template void run(const NormRows<Bfloat16>&, int, void*);
template void run(const NormRows<Bfloat16, float>&, int, void*);
template void run(const TurnHeads<float>&, void*);
template void run(const TurnHeads<Bfloat16>&, void*);
template void run(const RotateRows<float>&, void*);
template void run(const RotateRows<Bfloat16>&, void*);
template void run(const RotateAppend<float>&, void*);
template void run(const RotateAppend<Bfloat16>&, void*);
template void run(const SwigluRows<float>&, void*);
template void run(const SwigluRows<Bfloat16>&, void*);

}  // namespace docspec::cuda
