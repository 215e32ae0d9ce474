#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace docspec {

/// One thread beside the one that decodes, for the drafts of all jobs, one after the other; started
/// with its first task. Tasks compute on one thread.
class DraftThread {
 public:
  DraftThread() = default;
  /// Waits for what was begun; the rest is dropped, its futures broken.
  ~DraftThread();
  DraftThread(const DraftThread&) = delete;
  DraftThread& operator=(const DraftThread&) = delete;

  /// What `task` throws, the future throws.
  std::future<void> run(std::function<void()> task);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<void()>> tasks_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace docspec
