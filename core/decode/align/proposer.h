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

/// One draft as the target's tokens: one sequence per region, never joined.
struct DraftTokens {
  std::string source;  ///< the drafter it came from: "tesseract", "verified", ...
  std::vector<int32_t> ids;
};

/// A proposed continuation of the pending token. Spans stay valid until the proposer's next
/// `propose`.
struct Candidate {
  std::span<const int32_t> tokens;
  std::string_view source;  ///< whose text it is: a drafter, "output", "page"
  float score = 1;          ///< belief relative to others of its rule, in (0, 1]
  std::string_view rule =
      "window";              ///< what found it: with the source, a arm of the AcceptanceModel
  int64_t match_length = 0;  ///< how many tokens agreed before it
  /// Where tokens were drawn: the distribution of each (Chain::distributions), all of the
  /// candidates of one proposer independently.
  std::span<const Distribution> distributions = {};
};

/// What a step revealed: the whole tree with its statistics, also for rows that were not accepted.
struct Observation {
  const DraftTree& tree;
  const TreeStats& stats;
  std::span<const int32_t> path;     ///< accepted rows, cut at stops and budgets
  std::span<const int32_t> emitted;  ///< tokens that this step adds to the output
  /// The target's distribution of the token after a row, at temperature 1 where it is greedy; costs
  /// a copy of the row's logits. May be empty.
  std::function<Distribution(int32_t row)> target = {};
};

/// Speaks at every step, with state of one job. What it proposes can change the number of passes,
/// never what an exact rule emits.
class Proposer {
 public:
  virtual ~Proposer() = default;
  /// Continuations of `output` (the tokens generated so far, the last one pending), best first. Ids
  /// need not be valid: the decoder cuts a candidate before the first that is not.
  virtual std::vector<Candidate> propose(std::span<const int32_t> output) = 0;
  /// Called after each step, before `emitted` joins the output.
  virtual void observe(const Observation& step) = 0;
  /// Whether it may be asked while the target's pass runs: not where it runs a model itself.
  virtual bool apart() const { return true; }
  /// One more draft, between two passes: a region that was verified meanwhile.
  virtual void add(const DraftTokens& draft) { static_cast<void>(draft); }
};

}  // namespace docspec
