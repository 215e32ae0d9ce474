#pragma once

#include "cuda/rows.cuh"
#include "cuda/tree_attention.cuh"

namespace docspec::cuda {

/// Whether there are kernels for heads of this size.
inline bool takes(int64_t dim) {
  return dim == 16 || dim == 32 || dim == 64 || dim == 80 || dim == 96 || dim == 128;
}

// Each starts its kernel on a stream (cudaStream_t) and returns at once; throws std::runtime_error
// when it cannot be started. Pointers are the device's.

/// All parts of all tasks, then their merge. `split_count`: [rows]. out: [rows, heads, dim];
/// log_sum: [rows, heads].
void attend(const TableView& tables, int tasks, int rows, int dim, const Caches& caches,
            const float* q, int heads, int kv_heads, const Parts& parts, const int32_t* split_count,
            float* out, float* log_sum, void* stream);
void look(const TableView& tables, int job, int rows, int dim, const float* keys,
          int64_t head_stride, const float* q, const float* log_sum, int heads, int kv_heads,
          int begin, int end, float* out, void* stream);
void run(const RowStatistics& kernel, int rows, void* stream);
void run(const NormRows& kernel, int rows, void* stream);
void run(const RotateRows& kernel, void* stream);
void run(const SwigluRows& kernel, void* stream);
void run(const KeepRows& kernel, void* stream);

}  // namespace docspec::cuda
