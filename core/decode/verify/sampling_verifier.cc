#include "core/decode/verify/sampling_verifier.h"

#include "core/base/error.h"

namespace docspec {

Acceptance SamplingVerifier::verify(const DraftTree& tree, const TreeStats& stats) const {
  if (!stats.draws)
    throw Error(ExitCode::internal, "verify: a rule that samples was given no distributions");
  return sample(tree, *stats.draws);
}

Acceptance ChainVerifier::sample(const DraftTree& tree, const Draws& draws) const {
  const std::vector<Chain> leaves = draws.chains.empty() ? leaf_chains(tree) : std::vector<Chain>();
  const std::span<const Chain> chains = draws.chains.empty() ? leaves : draws.chains;
  ChainResult result =
      chains.empty() ? ChainResult{{}, draws.target(0)} : verify_chains(tree, chains, draws);
  const int32_t bonus = draws.rng->draw(result.residual, result.path.size());
  return {std::move(result.path), bonus};
}

ChainResult chain_result_of(const Chain& chain, ChainCut cut) {
  return {{chain.rows.begin(), chain.rows.begin() + std::ptrdiff_t(cut.accepted)},
          std::move(cut.residual)};
}

}  // namespace docspec
