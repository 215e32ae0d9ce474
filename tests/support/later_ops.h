#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/ops.h"

namespace docspec {

/// The operations of others, but what is done aside is done late: not begun before `done` has been
/// asked `asks` times or `wait` is called, so that what is read too early is not there.
class LaterOps : public Ops {
 public:
  LaterOps(const Ops& ops, size_t asks) : ops_(ops), asks_(asks) {}

  /// What happened: a work is taken in 's', done 'd', waited for 'w', given up 'x'; rows judged
  /// 'r'.
  mutable std::string events;
  mutable size_t alive = 0, most_alive = 0;  ///< works that are not gone
  std::function<void()> on_aside;            ///< called with each; may throw

  bool works_aside() const override { return true; }
  std::unique_ptr<Aside> aside(const std::function<void()>& work) const override {
    events += 's';
    if (on_aside) on_aside();
    return std::make_unique<Later>(*this, work);
  }

  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override {
    events += 'r';
    return ops_.row_stats(logits, token, parent);
  }
  bool rows_alone(const at::Tensor& like) const override { return ops_.rows_alone(like); }
  at::Tensor working(const at::Tensor& x) const override { return ops_.working(x); }
  at::Tensor linear(const at::Tensor& x, std::span<const Linear* const> layers) const override {
    return ops_.linear(x, layers);
  }
  at::Tensor logits(const at::Tensor& x, const Linear& head) const override {
    return ops_.logits(x, head);
  }
  at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) const override {
    return ops_.rms_norm(x, weight, eps);
  }
  at::Tensor rotate(const at::Tensor& x, const Rotary& rotary) const override {
    return ops_.rotate(x, rotary);
  }
  at::Tensor swiglu(const at::Tensor& gate_up) const override { return ops_.swiglu(gate_up); }
  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, int64_t row_multiple,
                                      const at::Tensor& like) const override {
    return ops_.plan(jobs, row_multiple, like);
  }
  at::Tensor attention(const at::Tensor& q, std::span<const at::Tensor* const> keys,
                       std::span<const at::Tensor* const> values, const AttentionPlan& plan,
                       Looks* looks) const override {
    return ops_.attention(q, keys, values, plan, looks);
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

 private:
  class Later : public Aside {
   public:
    Later(const LaterOps& ops, std::function<void()> work)
        : ops_(ops), work_(std::move(work)), left_(ops.asks_) {
      ops_.most_alive = std::max(ops_.most_alive, ++ops_.alive);
    }
    ~Later() override {
      if (work_) ops_.events += 'x';
      --ops_.alive;
    }
    bool done() const override {
      if (work_ && left_-- == 0) run();
      return !work_;
    }
    void wait() const override {
      if (!work_) return;
      ops_.events += 'w';
      run();
    }

   private:
    void run() const {
      const auto work = std::exchange(work_, {});
      ops_.events += 'd';
      work();
    }
    const LaterOps& ops_;
    mutable std::function<void()> work_;
    mutable size_t left_;
  };

  const Ops& ops_;
  const size_t asks_;
};

}  // namespace docspec
