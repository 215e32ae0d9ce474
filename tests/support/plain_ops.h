#pragma once

#include <memory>

#include "core/ops.h"

namespace docspec {

/// Row statistics by plain loops: what every other Ops must equal. All else is ATen's.
class PlainOps : public Ops {
 public:
  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override;
  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, int64_t row_multiple,
                                      const at::Tensor& like) const override;
  at::Tensor attention(const at::Tensor& q, std::span<const at::Tensor* const> keys,
                       std::span<const at::Tensor* const> values,
                       const AttentionPlan& plan) const override;
  at::Tensor full_attention(const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v) const override;
  at::Tensor top_k(const at::Tensor& scores, int64_t k) const override;
  void gather_rows(at::Tensor& rows, std::span<const int64_t> from, int64_t to) const override;

 private:
  std::unique_ptr<Ops> aten_ = make_aten_ops();
};

}  // namespace docspec
