#include "core/decode/draft_model/draft_gate.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace docspec {
namespace {

/// Older rounds count half with each trial: a page's later parts are not like its first.
constexpr double kKept = 0.5;
constexpr double kLeast = 1e-3;  // of a better kind's rate, for how long it is left alone

double steady_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

DraftGate::DraftGate(std::function<double()> now_ms)
    : now_ms_(now_ms ? std::move(now_ms) : steady_ms) {}

bool DraftGate::begin() {
  if (open_++ == 0) since_ = now_ms_();  // what lies between two pages is not the rounds'
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
