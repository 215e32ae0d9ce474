#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tests/support/forwarding_ops.h"

namespace docspec {

/// The operations of others, but what is done aside is done late: not begun before `done` has been
/// asked `asks` times or `wait` is called, so that what is read too early is not there.
class LaterOps : public ForwardingOps {
 public:
  LaterOps(const Ops& ops, size_t asks) : ForwardingOps(ops), asks_(asks) {}

  /// What happened: a work is taken in 's', done 'd', waited for 'w', given up 'x'; rows judged
  /// 'r'.
  mutable std::string events;
  mutable size_t alive = 0, most_alive = 0;  ///< works that are not gone
  std::function<void()> on_aside;            ///< called with each; may throw

  bool asynchronous() const override { return true; }
  std::unique_ptr<AsyncWork> run_async(const std::function<void()>& work) const override {
    events += 's';
    if (on_aside) on_aside();
    return std::make_unique<Later>(*this, work);
  }

  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override {
    events += 'r';
    return ops_.row_stats(logits, token, parent);
  }

 private:
  class Later : public AsyncWork {
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

  const size_t asks_;
};

}  // namespace docspec
