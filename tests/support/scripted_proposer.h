#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/decode/align/proposer.h"

namespace docspec {

/// Proposes what a test wrote down, step by step, and remembers what it was told.
class ScriptedProposer : public Proposer {
 public:
  using Script = std::vector<std::vector<std::vector<int32_t>>>;  ///< step -> candidates -> tokens
  explicit ScriptedProposer(Script script, std::vector<std::vector<int32_t>>* emitted = nullptr)
      : script_(std::move(script)), emitted_(emitted) {}

  std::vector<Candidate> propose(std::span<const int32_t>) override {
    std::vector<Candidate> out;
    if (step_ < script_.size())
      for (const auto& tokens : script_[step_]) out.push_back({tokens, "script"});
    ++step_;
    return out;
  }
  void observe(const Observation& step) override {
    if (emitted_) emitted_->emplace_back(step.emitted.begin(), step.emitted.end());
  }

 private:
  Script script_;
  std::vector<std::vector<int32_t>>* emitted_;
  size_t step_ = 0;
};

}  // namespace docspec
