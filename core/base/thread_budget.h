#pragma once

#include <condition_variable>
#include <mutex>

namespace docspec {

/// Divides the cores between drafting threads and the model's threads. Together they never exceed
/// the cores; each side has at least one. Either the model has a fixed number and drafting the
/// rest, or the model takes the cores on which no thread drafts at the moment. The latter is only
/// for models whose bits do not depend on the number of threads (bits_hold_across_threads): a
/// result must not depend on the time of a draft.
class ThreadBudget {
 public:
  /// `model_threads`: the model's number, kept whatever is drafted; 0 = what is free.
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
  /// How many threads may draft.
  int drafting_threads() const;
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
