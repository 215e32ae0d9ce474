#pragma once

#include <cstdint>
#include <memory>

#include "core/decode/align/proposer.h"
#include "core/decode/prune/focal_selector.h"

namespace docspec {

class Ops;

/// The target itself and one job's place in it.
struct TargetView {
  const LanguageModel* lm = nullptr;
  const Ops* ops = nullptr;
  KvCache* cache = nullptr;  ///< of the job: what is proposed is never committed
  SelectorInput looks;       ///< of this one job
};

/// The model's own greedy continuation under a fixation, `tokens` at a time: pruning that proposes
/// while full attention verifies, so that the output stays exact (algorithms.md 6.3, strictest
/// remedy). Each token costs a pass. Says nothing where the selector leaves the job alone, or there
/// is no model to ask.
std::unique_ptr<Proposer> make_pruned_proposer(const TargetView& target,
                                               std::unique_ptr<FocalSelector> selector,
                                               int64_t tokens);

}  // namespace docspec
