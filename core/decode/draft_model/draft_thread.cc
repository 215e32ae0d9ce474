#include "core/decode/draft_model/draft_thread.h"

#include <ATen/Parallel.h>
#include <omp.h>

namespace docspec {

DraftThread::~DraftThread() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    tasks_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::future<void> DraftThread::run(std::function<void()> task) {
  std::packaged_task<void()> packaged(std::move(task));
  std::future<void> done = packaged.get_future();
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    tasks_.push_back(std::move(packaged));
  }
  changed_.notify_all();
  return done;
}

void DraftThread::work() {
  at::init_num_threads();
  omp_set_num_threads(1);  // of this thread; at::set_num_threads would set the model's, too
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || !tasks_.empty(); });
    if (stopped_) return;
    std::packaged_task<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }
}

}  // namespace docspec
