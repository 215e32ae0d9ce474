#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decode/sample/sampling.h"
#include "core/decode/verify/verifier.h"

namespace docspec {

/// One draft in tokens of the target; drafts of different regions are never joined.
struct DraftTokens {
  std::string source;  ///< the drafter it came from: "tesseract", "verified", ...
  std::vector<int32_t> ids;
};

/// A proposed continuation of the pending token. Spans stay valid until the proposer's next
/// `propose`, `observe` or `add`.
struct Candidate {
  std::span<const int32_t> tokens;
  std::string_view source;  ///< origin of the text: a drafter, "output", "page"
  float score = 1;          ///< relative to other candidates of its rule, in (0, 1]
  std::string_view rule =
      "window";  ///< what found it; an arm of the AcceptanceModel is a rule and a source
  int64_t match_length = 0;  ///< tokens that agreed before it
  /// For sampled tokens the distribution of each (Chain::distributions); candidates of one proposer
  /// are sampled independently. Empty for all others.
  std::span<const Distribution> distributions = {};
};

/// The result of a step: the whole tree with its statistics, also for rows that were not accepted.
struct Observation {
  const DraftTree& tree;
  const TreeStats& stats;
  std::span<const int32_t> path;     ///< accepted rows, cut at stops and budgets
  std::span<const int32_t> emitted;  ///< tokens that this step adds to the output
  /// The target's distribution of the token after a row, at temperature 1 if decoding is greedy.
  /// Costs a copy of the row's logits. May be empty.
  std::function<Distribution(int32_t row)> target = {};
};

/// Suggests continuations at every step, with state of one job. Its proposals can change the number
/// of passes, never the output of an exact rule.
class Proposer {
 public:
  virtual ~Proposer() = default;
  /// Returns continuations of `output` (the tokens so far, the last one pending), best first. Ids
  /// need not be valid: the decoder cuts a candidate before the first invalid one.
  virtual std::vector<Candidate> propose(std::span<const int32_t> output) = 0;
  /// Called after each step, before `emitted` joins the output.
  virtual void observe(const Observation& step) = 0;
  /// Whether `propose` may run in parallel with a pass of the target. False for proposers that run
  /// a model themselves.
  virtual bool can_run_concurrently() const { return true; }
  /// Adds a draft between two passes: a region that was verified in the same batch.
  virtual void add(const DraftTokens& draft) { static_cast<void>(draft); }
};

}  // namespace docspec
