#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace docspec {

/// Shared by the windows of a run's documents: limits how many threads draft at the same time, and
/// reports their progress.
class ThreadLimiter {
 public:
  /// Sets the limit; by default there is none.
  void set_threads(int threads);

  /// Adds `pages` to the number of pages that will be drafted; less than 0 = fewer of them.
  void expect(int pages);
  /// Whether every expected page is drafted or being drafted: a free thread would find nothing to
  /// do.
  bool all_begun() const;

  /// Held while a thread drafts a page; the constructor waits for a free slot.
  class Slot {
   public:
    explicit Slot(ThreadLimiter& limiter);
    ~Slot();
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

   private:
    ThreadLimiter& limiter_;
  };

  /// Number of events so far: pages begun, pages drafted.
  uint64_t events() const;
  void tell_drafted();
  /// Blocks until there were more than `seen` events.
  void wait(uint64_t seen) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  int threads_ = 1 << 20, drafting_ = 0, expected_ = 0;
  uint64_t events_ = 0;
};

}  // namespace docspec
