#include <stdexcept>
#include <string>

#include "cuda/kernels.h"

namespace docspec::cuda {
namespace {

template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads) run_phases(const Kernel kernel) {
  __shared__ typename Kernel::Shared shared;
  typename Kernel::Thread own;
  const Block block{int(blockIdx.x), int(blockIdx.y)};
  for (int n = 0; kernel.phase(n, block, int(threadIdx.x), shared, own); ++n) __syncthreads();
}

template <class Kernel>
void start(const Kernel& kernel, int64_t blocks_x, int blocks_y, void* stream) {
  if (blocks_x <= 0 || blocks_y <= 0) return;
  run_phases<<<dim3(unsigned(blocks_x), unsigned(blocks_y)), Kernel::kThreads, 0,
               static_cast<cudaStream_t>(stream)>>>(kernel);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
    throw std::runtime_error(std::string("a CUDA kernel cannot be started: ") +
                             cudaGetErrorString(error));
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
    default:
      throw std::runtime_error("no CUDA attention for heads of " + std::to_string(dim));
  }
}

}  // namespace

void attend(const TableView& tables, int tasks, int rows, int dim, const Caches& caches,
            const float* q, int heads, int kv_heads, const Parts& parts, const int32_t* split_count,
            float* out, float* log_sum, void* stream) {
  for_dim(dim, [&](auto size) {
    constexpr int kDim = decltype(size)::value;
    start(TreeAttention<kDim>{tables, caches, q, heads, kv_heads, parts}, tasks, kv_heads, stream);
    start(MergeParts<kDim>{parts, split_count, out, log_sum, heads}, rows, heads, stream);
  });
}

void look(const TableView& tables, int job, int rows, int dim, const float* keys,
          int64_t head_stride, const float* q, const float* log_sum, int heads, int kv_heads,
          int begin, int end, float* out, void* stream) {
  for_dim(dim, [&](auto size) {
    using Kernel = LookedAt<decltype(size)::value>;
    start(Kernel{tables, job, keys, head_stride, q, log_sum, heads, kv_heads, begin, end, out},
          blocks(end - begin, Kernel::kThreads), rows, stream);
  });
}

void run(const RowStatistics& kernel, int rows, void* stream) {
  start(kernel, rows, 1, stream);
}
void run(const NormRows& kernel, int rows, void* stream) {
  start(kernel, rows, 1, stream);
}
void run(const RotateRows& kernel, void* stream) {
  start(kernel, blocks(kernel.rows * kernel.heads * kernel.dim, RotateRows::kThreads), 1, stream);
}
void run(const SwigluRows& kernel, void* stream) {
  start(kernel, blocks(kernel.rows * kernel.width, SwigluRows::kThreads), 1, stream);
}
void run(const KeepRows& kernel, void* stream) {
  start(kernel, blocks(kernel.columns, KeepRows::kThreads), 1, stream);
}

}  // namespace docspec::cuda
