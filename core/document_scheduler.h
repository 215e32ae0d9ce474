#pragma once

#include <coroutine>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/task.h"
#include "core/thread_limiter.h"

namespace docspec {

/// Converts several documents at the same time on one thread, each a coroutine: while one is being
/// read, the pages of the next ones are drafted, and pages of all of them share passes.
class DocumentScheduler {
 public:
  /// At most `most` documents are open. `step` brings the pages that are being read one pass
  /// further; false when there are none.
  DocumentScheduler(size_t most, std::function<bool()> step)
      : most_(most), step_(std::move(step)) {}
  DocumentScheduler(const DocumentScheduler&) = delete;
  DocumentScheduler& operator=(const DocumentScheduler&) = delete;

  /// Runs what `next` gives to its end; one more is begun when drafting threads have nothing left
  /// to do. Throws what one of them throws; the others end where they are then.
  void run(const std::function<std::optional<Task<void>>()>& next);

  ThreadLimiter& limiter() { return limiter_; }

  /// Awaited by a document that can do nothing now: until pages were read or drafted.
  struct Yield {
    DocumentScheduler& scheduler;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> document) const {
      scheduler.waiting_.push_back(document);
    }
    void await_resume() const {}
  };
  Yield yield() { return {*this}; }

 private:
  const size_t most_;
  const std::function<bool()> step_;
  ThreadLimiter limiter_;
  std::vector<std::coroutine_handle<>> waiting_;
};

}  // namespace docspec
