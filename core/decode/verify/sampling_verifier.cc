#include "core/decode/verify/sampling_verifier.h"

#include "core/base/error.h"

namespace docspec {

Acceptance SamplingVerifier::verify(const DraftTree& tree, const TreeStats& stats) const {
  if (!stats.draws)
    throw Error(ExitCode::internal, "verify: a rule that samples was given no laws");
  return sample(tree, *stats.draws);
}

Acceptance ChainVerifier::sample(const DraftTree& tree, const Draws& draws) const {
  const std::vector<Chain> leaves = draws.chains.empty() ? leaf_chains(tree) : std::vector<Chain>();
  const std::span<const Chain> chains = draws.chains.empty() ? leaves : draws.chains;
  Verdict verdict = chains.empty() ? Verdict{{}, draws.target(0)} : judge(tree, chains, draws);
  const int32_t bonus = draws.chance->draw(verdict.owed, verdict.path.size());
  return {std::move(verdict.path), bonus};
}

Verdict verdict_of(const Chain& chain, ChainCut cut) {
  return {{chain.rows.begin(), chain.rows.begin() + std::ptrdiff_t(cut.accepted)},
          std::move(cut.owed)};
}

}  // namespace docspec
