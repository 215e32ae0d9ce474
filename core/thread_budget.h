#pragma once

#include <condition_variable>
#include <mutex>

namespace docspec {

/// The cores that drafting threads and the model's threads share: the model gets those on which
/// nobody drafts at the moment, at least one. How many it has never changes a bit of what it says.
class ThreadBudget {
 public:
  /// `model_threads`: the user's own number, kept whatever is drafted; 0 = what is free.
  ThreadBudget(int cores, int model_threads) : cores_(cores), fixed_(model_threads) {}

  /// Lives while one thread drafts.
  class Drafting {
   public:
    explicit Drafting(ThreadBudget& budget) : budget_(budget) { budget_.count(1); }
    ~Drafting() { budget_.count(-1); }
    Drafting(const Drafting&) = delete;
    Drafting& operator=(const Drafting&) = delete;

   private:
    ThreadBudget& budget_;
  };

  int model_threads() const;
  /// Blocks while anything is drafted: a measurement wants the machine for itself. The bounded
  /// window of drafted pages fills and drafting rests, so this ends.
  void wait_until_no_draft() const;

 private:
  void count(int more);

  const int cores_, fixed_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  int drafting_ = 0;
};

}  // namespace docspec
