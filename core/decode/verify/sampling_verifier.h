#pragma once

#include <span>

#include "core/decode/sample/sampling.h"
#include "core/decode/verify/verifier.h"

namespace docspec {

/// Common base of the rules at temperature > 0. TreeStats must have draws, else it throws
/// Error(internal).
class SamplingVerifier : public Verifier {
 public:
  bool exact() const final { return true; }
  bool samples() const final { return true; }
  Acceptance verify(const DraftTree& tree, const TreeStats& stats) const final;

 protected:
  virtual Acceptance sample(const DraftTree& tree, const Draws& draws) const = 0;
};

/// Accepted rows in path order, and the residual distribution after them, not normalised.
struct ChainResult {
  std::vector<int32_t> path;
  Distribution residual;
};

/// Common base of the rules that verify chains.
class ChainVerifier : public SamplingVerifier {
 public:
  bool reads_draft_distributions() const final { return true; }

 protected:
  Acceptance sample(const DraftTree& tree, const Draws& draws) const final;
  /// `chains` is not empty.
  virtual ChainResult verify_chains(const DraftTree& tree, std::span<const Chain> chains,
                                    const Draws& draws) const = 0;
};

/// The result of a rule that verifies one chain.
ChainResult chain_result_of(const Chain& chain, ChainCut cut);

/// Samples the target's token and follows it as long as the tree has it: the best rule for drafts
/// that were not sampled (algorithms.md 5.4). Its output is that of plain sampling with the same
/// seed.
std::unique_ptr<Verifier> make_follow_verifier();

/// Token-wise rejection along the first chain.
std::unique_ptr<Verifier> make_token_verifier();

/// Block verification along the first chain.
std::unique_ptr<Verifier> make_block_verifier();

/// Block verification along the first chain; then, from where it ended and with the residual
/// distribution there, along each next chain that shares the accepted prefix (algorithms.md 5.4).
std::unique_ptr<Verifier> make_restart_verifier();

}  // namespace docspec
