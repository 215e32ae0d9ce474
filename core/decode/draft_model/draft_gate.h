#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace docspec {

/// Whether a draft model pays: tokens a millisecond of rounds with its drafts beside those of
/// rounds without, measured as they come. Rounds of one kind are tried, then of the other; the
/// better kind goes on, and the other one is tried again the more seldom the worse it was. What it
/// decides changes the number of passes, never a greedy text. Used on the thread that decodes.
class DraftGate {
 public:
  /// Rounds of a trial, and between two trials of equals.
  static constexpr int64_t kTrial = 8, kBetween = 64;

  /// `now_ms`: a clock of one's own, for tests.
  explicit DraftGate(std::function<double()> now_ms = {});

  /// A job's round begins; whether it is to be drafted.
  bool begin();
  /// The round has emitted so many tokens.
  void end(int64_t tokens);
  /// The round never came to its end.
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
  int64_t left_ = kTrial;  ///< rounds of this kind
  bool trial_ = true;
  int64_t open_ = 0;  ///< rounds begun and not ended: jobs of one batch
  double since_ = 0;
};

}  // namespace docspec
