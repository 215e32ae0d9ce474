#include "core/thread_limiter.h"

namespace docspec {

void ThreadLimiter::set_threads(int threads) {
  const std::lock_guard lock(mutex_);
  threads_ = threads;
  changed_.notify_all();
}

void ThreadLimiter::expect(int pages) {
  const std::lock_guard lock(mutex_);
  expected_ += pages;
  ++events_;
  changed_.notify_all();
}

bool ThreadLimiter::all_begun() const {
  const std::lock_guard lock(mutex_);
  return expected_ == 0;
}

ThreadLimiter::Slot::Slot(ThreadLimiter& limiter) : limiter_(limiter) {
  std::unique_lock lock(limiter_.mutex_);
  limiter_.changed_.wait(lock, [&] { return limiter_.drafting_ < limiter_.threads_; });
  ++limiter_.drafting_;
}

ThreadLimiter::Slot::~Slot() {
  const std::lock_guard lock(limiter_.mutex_);
  --limiter_.drafting_;
  limiter_.changed_.notify_all();
}

uint64_t ThreadLimiter::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

void ThreadLimiter::tell_drafted() {
  const std::lock_guard lock(mutex_);
  ++events_;
  changed_.notify_all();
}

void ThreadLimiter::wait(uint64_t seen) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return events_ > seen; });
}

}  // namespace docspec
