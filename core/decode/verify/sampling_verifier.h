#pragma once

#include <span>

#include "core/decode/sample/sampling.h"
#include "core/decode/verify/verifier.h"

namespace docspec {

/// What the rules at temperature > 0 have in common: TreeStats must have draws, else
/// Error(internal).
class SamplingVerifier : public Verifier {
 public:
  bool exact() const final { return true; }
  bool samples() const final { return true; }
  Acceptance verify(const DraftTree& tree, const TreeStats& stats) const final;

 protected:
  virtual Acceptance sample(const DraftTree& tree, const Draws& draws) const = 0;
};

/// Accepted rows in path order, and the distribution owed behind them, not normalised.
struct ChainResult {
  std::vector<int32_t> path;
  Distribution residual;
};

/// A rule along chains.
class ChainVerifier : public SamplingVerifier {
 public:
  bool reads_draft_laws() const final { return true; }

 protected:
  Acceptance sample(const DraftTree& tree, const Draws& draws) const final;
  /// `chains` is not empty.
  virtual ChainResult verify_chains(const DraftTree& tree, std::span<const Chain> chains,
                                    const Draws& draws) const = 0;
};

/// The verdict of a rule that looks at one chain.
ChainResult chain_result_of(const Chain& chain, ChainCut cut);

/// Draws the target's token and follows it as far as the tree has it: the best there is for drafts
/// that nobody drew (algorithms.md 5.4). What it emits is what plain sampling emits with the same
/// seed.
std::unique_ptr<Verifier> make_follow_verifier();

/// Token-wise rejection along the first chain.
std::unique_ptr<Verifier> make_token_verifier();

/// Block verification along the first chain.
std::unique_ptr<Verifier> make_block_verifier();

/// Block verification along the first chain, then, from where it ended and with the distribution
/// owed there, along each next chain that shares the accepted prefix (algorithms.md 5.4).
std::unique_ptr<Verifier> make_restart_verifier();

}  // namespace docspec
