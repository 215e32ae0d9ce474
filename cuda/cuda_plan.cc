#include "cuda/cuda_plan.h"

#include <ATen/ATen.h>

namespace docspec::cuda {
namespace {

/// A prompt shorter than this is a pass like any other.
constexpr size_t kLeastPrompt = 128;

bool is_prompt(std::span<const AttentionRows> jobs, const BatchLayout& shape,
               const at::Tensor& like) {
  return like.scalar_type() == at::kBFloat16 && jobs.size() == 1 && shape.rows == 0 &&
         jobs[0].prefix == 0 && jobs[0].parent.size() >= kLeastPrompt && jobs[0].chain();
}

AttentionTables tables_of(std::span<const AttentionRows> jobs, const BatchLayout& shape,
                          const at::Tensor& like, bool prompt) {
  const auto use = prompt                                ? TableUse::places
                   : like.scalar_type() == at::kBFloat16 ? TableUse::tiles
                                                         : TableUse::paths;
  AttentionTables tables(jobs, int(shape.group), use);
  if (shape.rows > 0) tables.pad(int(shape.rows));
  return tables;
}

}  // namespace

CudaPlan::CudaPlan(std::span<const AttentionRows> jobs, const BatchLayout& shape,
                   const at::Tensor& like)
    : device_(like.device()),
      prompt_(is_prompt(jobs, shape, like)),
      tables_(tables_of(jobs, shape, like, prompt_)),
      at_{upload_.add(tables_.jobs),        upload_.add(tables_.ints),
          upload_.add(tables_.tasks),       upload_.add(tables_.tile_tasks),
          upload_.add(tables_.split_count), upload_.add(tables_.job_of_row),
          upload_.add(tables_.pages)} {}

void CudaPlan::send_to(const at::Tensor& memory) const {
  if (memory.defined())
    upload_.send_to(memory);
  else
    upload_.send(device_);
  view_ = {upload_.at<TreeJob>(at_.jobs),        upload_.at<int32_t>(at_.ints),
           upload_.at<Task>(at_.tasks),          upload_.at<Task>(at_.tile_tasks),
           upload_.at<int32_t>(at_.split_count), upload_.at<int32_t>(at_.job_of_row),
           upload_.at<void*>(at_.pages)};
}

std::vector<int64_t> CudaPlan::shape() const {
  return {int64_t(upload_.size()),       tables_.rows,
          int64_t(tables_.jobs.size()),  int64_t(tables_.ints.size()),
          int64_t(tables_.tasks.size()), int64_t(tables_.tile_tasks.size()),
          int64_t(tables_.pages.size()), tables_.splits};
}

at::Tensor attend_prompt(const at::Tensor& q, const CacheRows& cache) {
  const auto side = [&](int which) {
    return whole_cache(cache, which).narrow(1, 0, q.size(0)).unsqueeze(0);
  };
  const at::Tensor keys = side(0);
  return at::scaled_dot_product_attention(q.to(keys.scalar_type()).transpose(0, 1).unsqueeze(0),
                                          keys, side(1), {}, 0.0, /*is_causal=*/true, std::nullopt,
                                          /*enable_gqa=*/true)
      .squeeze(0)
      .transpose(0, 1)
      .contiguous();
}

}  // namespace docspec::cuda
