#pragma once

#include <vector>

#include "core/ops/ops.h"
#include "cuda/attention_tables.h"
#include "cuda/tensors.h"

namespace docspec::cuda {

/// A pass's tables, over paged caches. They are sent when they are first needed, and may then be
/// sent again to where a recorded pass reads them.
class CudaPlan : public AttentionPlan {
 public:
  CudaPlan(std::span<const AttentionRows> jobs, const BatchLayout& shape, const at::Tensor& like);

  /// Whether it is one chain from an empty bf16 cache on, a prompt: plain causal attention.
  bool prompt() const { return prompt_; }
  const AttentionTables& tables() const { return tables_; }
  const at::Device& device() const { return device_; }
  /// Where the kernels find them.
  const TableView& view() const {
    if (!upload_.memory().defined()) send_to({});
    return view_;
  }

  /// Further arrays for the same copy; before it is made.
  template <class T>
  size_t add(const T* numbers, size_t count) const {
    return upload_.add(numbers, count);
  }
  template <class T>
  T* at(size_t offset) const {
    return upload_.at<T>(offset);
  }
  const at::Tensor& memory() const { return upload_.memory(); }
  /// Into new memory where that is undefined.
  void send_to(const at::Tensor& memory) const;
  /// Sizes of all tables: what must be equal where memory and launches are to be the same.
  std::vector<int64_t> shape() const;

 private:
  struct Places {
    size_t jobs, ints, tasks, tile_tasks, split_count, job_of_row, pages;
  };

  at::Device device_;
  bool prompt_;
  AttentionTables tables_;
  mutable Upload upload_;
  mutable TableView view_;
  Places at_;
};

/// Plain causal attention of a prompt's rows, which are all that is in the cache. q: [rows, heads,
/// head_dim] f32; returns the same, of what the cache holds.
at::Tensor attend_prompt(const at::Tensor& q, const CacheRows& cache);

}  // namespace docspec::cuda
