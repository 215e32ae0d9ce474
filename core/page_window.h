#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/thread_limiter.h"

namespace docspec {

/// Makes items 0..count-1 on worker threads and returns them in order. It never holds more than
/// `capacity` of them, at least 1: a bounded window between the drafting threads and the decoding
/// thread.
template <typename Item>
class PageWindow {
 public:
  using Produce = std::function<Item(int index)>;

  /// `make_worker` is called once in each of `workers` threads; its result makes the items of that
  /// thread. An exception of either becomes the exception of the item. `limiter`: shared with other
  /// windows, must outlive them; nullptr = no limit.
  PageWindow(int count, int workers, int capacity, std::function<Produce()> make_worker,
             ThreadLimiter* limiter = nullptr)
      : count_(count),
        capacity_(capacity),
        make_worker_(std::move(make_worker)),
        limiter_(limiter),
        done_(size_t(capacity)) {
    if (limiter_) limiter_->expect(count_);
    try {
      for (int i = 0; i < workers && i < count; ++i) threads_.emplace_back([this] { work(); });
    } catch (...) {  // no more threads: end those that run before the exception leaves
      stop();
      throw;
    }
  }

  /// Waits for the items that have begun; the others are dropped.
  ~PageWindow() { stop(); }
  PageWindow(const PageWindow&) = delete;
  PageWindow& operator=(const PageWindow&) = delete;

  /// Returns the next item in order; blocks until it is made. Throws the exception of its making.
  /// Call it at most `count` times.
  Item next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return place_of(handed_out_).has_value(); });
    Made made = *std::exchange(place_of(handed_out_), std::nullopt);
    ++handed_out_;
    lock.unlock();
    changed_.notify_all();
    if (made.error) std::rethrow_exception(made.error);
    return std::move(*made.item);
  }

  /// Whether `next` returns at once.
  bool ready() const {
    const std::lock_guard lock(mutex_);
    return done_[size_t(handed_out_ % capacity_)].has_value();
  }

 private:
  struct Made {
    std::optional<Item> item;
    std::exception_ptr error;
  };

  void stop() {
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    if (limiter_) limiter_->expect(begun_ - count_);
  }

  std::optional<Made>& place_of(int index) { return done_[size_t(index % capacity_)]; }

  bool may_begin() const { return begun_ < count_ && begun_ < handed_out_ + capacity_; }

  void work() {
    Produce produce;
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopped_ || begun_ >= count_ || may_begin(); });
      if (stopped_ || begun_ >= count_) return;
      const int index = begun_++;
      lock.unlock();
      Made made = make(index, produce);
      lock.lock();
      place_of(index) = std::move(made);
      lock.unlock();
      changed_.notify_all();
      if (limiter_) limiter_->tell_drafted();
    }
  }

  Made make(int index, Produce& produce) {
    std::optional<ThreadLimiter::Slot> slot;
    if (limiter_) {
      slot.emplace(*limiter_);
      limiter_->expect(-1);
    }
    Made made;
    try {
      if (!produce) produce = make_worker_();
      made.item.emplace(produce(index));
    } catch (...) {
      made.error = std::current_exception();
    }
    return made;
  }

  const int count_, capacity_;
  std::function<Produce()> make_worker_;
  ThreadLimiter* const limiter_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int begun_ = 0, handed_out_ = 0;
  bool stopped_ = false;
  std::vector<std::optional<Made>> done_;  ///< made before the threads, which cannot run out then
  std::vector<std::thread> threads_;
};

}  // namespace docspec
