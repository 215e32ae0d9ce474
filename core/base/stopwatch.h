#pragma once

#include <chrono>

namespace docspec {

/// Measures the time since it was made, by the steady clock.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  double ms() const { return 1000 * seconds(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

/// Adds the time of its life to `total_ms`.
class ScopedTimer {
 public:
  explicit ScopedTimer(double& total_ms) : total_ms_(total_ms) {}
  ~ScopedTimer() { total_ms_ += stopwatch_.ms(); }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  double& total_ms_;
  Stopwatch stopwatch_;
};

}  // namespace docspec
