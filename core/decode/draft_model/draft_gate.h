#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace docspec {

/// Decides whether a draft model pays. It measures tokens per millisecond of rounds with its drafts
/// and of rounds without. Each kind is tried, the better one is kept, and the other is tried again
/// the more rarely the worse it was. Its decisions change the number of passes, never a greedy
/// text. Used on the decoding thread.
class DraftGate {
 public:
  /// Rounds of a trial, and rounds between two trials of kinds that are equally good.
  static constexpr int64_t kTrial = 8, kBetween = 64;

  /// `now_ms`: a clock for tests; by default the steady clock.
  explicit DraftGate(std::function<double()> now_ms = {});

  /// Begins a round of a job; returns whether it is to be drafted.
  bool begin();
  /// Ends a round that has emitted `tokens` tokens.
  void end(int64_t tokens);
  /// Abandons a round that has begun.
  void drop();

 private:
  enum Kind { drafted, alone };
  struct Rate {
    double tokens = 0, ms = 0;
    double value() const { return ms > 0 ? tokens / ms : 0; }
  };

  /// Chooses whether the next rounds are drafted; returns their number.
  int64_t turn();

  std::function<double()> now_ms_;
  std::array<Rate, 2> rates_;
  Kind kind_ = drafted;
  int64_t left_ = kTrial;  ///< rounds of this kind that are left
  bool trial_ = true;
  int64_t open_ = 0;  ///< rounds that have begun and not ended: jobs of one batch
  double since_ = 0;
};

}  // namespace docspec
