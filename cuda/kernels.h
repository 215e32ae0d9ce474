#pragma once

#include "cuda/accept.cuh"
#include "cuda/recurrent/delta_commit.cuh"
#include "cuda/recurrent/delta_rule.cuh"
#include "cuda/rows.cuh"
#include "cuda/select.cuh"
#include "cuda/statistics.cuh"
#include "cuda/tile_attention.cuh"
#include "cuda/tree_attention.cuh"

namespace docspec::cuda {

/// Whether there are kernels for heads of this size.
inline bool takes(int64_t dim) {
  return dim == 16 || dim == 32 || dim == 64 || dim == 80 || dim == 96 || dim == 128 || dim == 256;
}

// Each starts its kernel on a stream (cudaStream_t) and returns at once; throws std::runtime_error
// when it cannot be started. Pointers are the device's.

/// A pass's queries and what they attend to; bf16: the caches', f32 otherwise.
struct Attention {
  TableView tables;
  CacheLayer layer;
  const float* q = nullptr;  ///< [rows, heads, dim]
  float q_scale = 1;
  int rows = 0, heads = 0, kv_heads = 0, dim = 0;
  bool bf16 = false;
  int part = kSplit;  ///< AttentionTables::part
};

/// All parts of all tasks, then their merge. out: [rows, heads, dim] of the caches' numbers;
/// log_sum: [rows, heads].
void attend(const Attention& pass, int tasks, int tile_tasks, const Parts& parts, void* out,
            float* log_sum, void* stream);
/// What `rows` rows of a job look at among the keys [begin, end); out: [rows, end - begin].
void look(const Attention& pass, int job, int rows, const float* log_sum, int begin, int end,
          float* out, void* stream);
void run(const RowStatistics& kernel, int rows, void* stream);
void run(const MergeStatistics& kernel, void* stream);
template <class T, class W>
void run(const NormRows<T, W>& kernel, int rows, void* stream);
void run(const MakeRotary& kernel, void* stream);
template <class T>
void run(const TurnHeads<T>& kernel, void* stream);
template <class T>
void run(const RotateRows<T>& kernel, void* stream);
template <class T>
void run(const RotateAppend<T>& kernel, void* stream);
template <class T>
void run(const SwigluRows<T>& kernel, void* stream);
void run(const KeepRows& kernel, void* stream);
void run(const SelectTop& kernel, int rows, void* stream);
void run(const DrawRow& kernel, int rows, void* stream);
void run(const WalkTrees& kernel, void* stream);
/// Of recurrent layers, over so many blocks.
template <class Kernel>
void run(const Kernel& kernel, int64_t blocks_x, int blocks_y, void* stream);

}  // namespace docspec::cuda
