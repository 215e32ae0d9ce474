#include "core/decode/draft_model/draft_gate.h"

#include <algorithm>
#include <utility>

#include "core/base/stopwatch.h"

namespace docspec {
namespace {

/// Older rounds lose half their weight with each trial: later parts of a page differ from its
/// first.
constexpr double kKept = 0.5;
constexpr double kLeast =
    1e-3;  // least rate of the worse kind relative to the better one, limits its pause

}  // namespace

DraftGate::DraftGate(std::function<double()> now_ms)
    : now_ms_(now_ms ? std::move(now_ms) : [clock = Stopwatch()] { return clock.ms(); }) {}

bool DraftGate::begin() {
  if (open_++ == 0) since_ = now_ms_();  // time between two pages does not count
  if (left_ == 0) left_ = turn();
  --left_;
  return kind_ == drafted;
}

void DraftGate::end(int64_t tokens) {
  const double now = now_ms_();
  rates_[kind_].tokens += double(tokens);
  rates_[kind_].ms += now - since_;
  since_ = now;
  drop();
}

void DraftGate::drop() {
  --open_;
}

int64_t DraftGate::turn() {
  const Kind other = kind_ == drafted ? alone : drafted;
  const double here = rates_[kind_].value(), there = rates_[other].value();
  if (trial_ && there > 0) {  // both are known
    trial_ = false;
    if (there > here) kind_ = other;
    const double worse = std::max(kLeast * std::max(here, there), std::min(here, there));
    return int64_t(kBetween * std::max(here, there) / worse);
  }
  for (Rate& rate : rates_) rate = {rate.tokens * kKept, rate.ms * kKept};
  kind_ = other;
  trial_ = true;
  return kTrial;
}

}  // namespace docspec
