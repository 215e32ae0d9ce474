#pragma once

#include <coroutine>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/task.h"
#include "core/thread_limiter.h"

namespace docspec {

/// Converts several documents concurrently on one thread, each as a coroutine. While one is read,
/// pages of the next ones are drafted, and the pages of all of them share passes.
class DocumentScheduler {
 public:
  /// At most `most` documents are open. `run_pass` runs one pass of the pages that are being read;
  /// it returns false if there are none.
  DocumentScheduler(size_t most, std::function<bool()> run_pass)
      : most_(most), run_pass_(std::move(run_pass)) {}
  DocumentScheduler(const DocumentScheduler&) = delete;
  DocumentScheduler& operator=(const DocumentScheduler&) = delete;

  /// Runs the tasks that `next` returns until it returns nullopt and all have ended. It begins one
  /// more when the drafting threads have no work left. Throws what a task throws; the others are
  /// then destroyed.
  void run(const std::function<std::optional<Task<void>>()>& next);

  ThreadLimiter& limiter() { return limiter_; }

  /// Awaitable: suspends a document that can do nothing now, until pages were read or drafted.
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
  const std::function<bool()> run_pass_;
  ThreadLimiter limiter_;
  std::vector<std::coroutine_handle<>> waiting_;
};

}  // namespace docspec
