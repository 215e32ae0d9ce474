#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace docspec {

/// What the windows of a run's documents share: how many threads may draft at the same time, and
/// word of what they do.
class ThreadLimiter {
 public:
  /// By default as many as like.
  void set_threads(int threads);

  /// So many pages of some window will be wanted; fewer than 0 = no more.
  void expect(int pages);
  /// Whether every page that is expected is drafted or being drafted: a thread that has a place
  /// left finds nothing to do.
  bool all_begun() const;

  /// Lives while a thread drafts one page; waits for a place.
  class Slot {
   public:
    explicit Slot(ThreadLimiter& limiter);
    ~Slot();
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

   private:
    ThreadLimiter& limiter_;
  };

  /// Pages begun and pages drafted, so far.
  uint64_t events() const;
  void tell_drafted();
  /// Blocks until there were more than `seen`.
  void wait(uint64_t seen) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  int threads_ = 1 << 20, drafting_ = 0, expected_ = 0;
  uint64_t events_ = 0;
};

}  // namespace docspec
