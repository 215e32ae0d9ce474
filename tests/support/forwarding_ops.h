#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <utility>

#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {

/// The operations of others, for tests that change some of them.
class ForwardingOps : public Ops {
 public:
  /// `ops` must outlive it.
  explicit ForwardingOps(const Ops& ops) : ops_(ops) {}
  explicit ForwardingOps(std::unique_ptr<Ops> ops) : own_(std::move(ops)), ops_(*own_) {}

  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override {
    return ops_.row_stats(logits, token, parent);
  }
  bool linear_is_batch_invariant(const at::Tensor& like) const override {
    return ops_.linear_is_batch_invariant(like);
  }
  at::Tensor to_compute_dtype(const at::Tensor& x) const override {
    return ops_.to_compute_dtype(x);
  }
  at::Tensor linear(const at::Tensor& x, std::span<const Linear* const> layers) const override {
    return ops_.linear(x, layers);
  }
  at::Tensor logits(const at::Tensor& x, const Linear& head) const override {
    return ops_.logits(x, head);
  }
  at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) const override {
    return ops_.rms_norm(x, weight, eps);
  }
  Rotary rotary(const at::Tensor& angles, int64_t head_dim) const override {
    return ops_.rotary(angles, head_dim);
  }
  at::Tensor rotate(const at::Tensor& x, const Rotary& rotary) const override {
    return ops_.rotate(x, rotary);
  }
  at::Tensor swiglu(const at::Tensor& gate_up) const override { return ops_.swiglu(gate_up); }
  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, const BatchLayout& shape,
                                      const at::Tensor& like) const override {
    return ops_.plan(jobs, shape, like);
  }
  at::Tensor attention(const at::Tensor& q, std::span<const CacheRows> caches,
                       const AttentionPlan& plan,
                       AttentionWeights* attention_weights) const override {
    return ops_.attention(q, caches, plan, attention_weights);
  }
  at::Tensor full_attention(const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v) const override {
    return ops_.full_attention(q, k, v);
  }
  at::Tensor top_k(const at::Tensor& scores, int64_t k) const override {
    return ops_.top_k(scores, k);
  }
  void gather_rows(std::span<at::Tensor> caches, std::span<const int64_t> from,
                   int64_t to) const override {
    ops_.gather_rows(caches, from, to);
  }
  at::Tensor recur(const at::Tensor& qkv, const at::Tensor& gates, std::span<const DeltaJob> jobs,
                   const DeltaShape& shape, const DeltaWeights& weights) const override {
    return ops_.recur(qkv, gates, jobs, shape, weights);
  }
  void commit_delta(std::span<DeltaRows> layers, int64_t kept, std::span<const int32_t> path,
                    const DeltaShape& shape) const override {
    ops_.commit_delta(layers, kept, path, shape);
  }

 private:
  const std::unique_ptr<Ops> own_;

 protected:
  const Ops& ops_;
};

}  // namespace docspec
