#include <algorithm>

#include "core/decode/verify/sampling_verifier.h"

namespace docspec {
namespace {

class RestartVerifier : public ChainVerifier {
  ChainResult verify_chains(const DraftTree& tree, std::span<const Chain> chains,
                            const Draws& draws) const override {
    ChainResult result{{}, draws.target(0)};
    for (size_t k = 0; k < chains.size(); ++k) {
      const std::vector<int32_t>& rows = chains[k].rows;
      const size_t from = result.path.size();
      if (rows.size() <= from || !std::equal(result.path.begin(), result.path.end(), rows.begin()))
        continue;
      result = chain_result_of(
          chains[k], cut_block(tree, chains[k], draws, from, std::move(result.residual), k));
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<Verifier> make_restart_verifier() {
  return std::make_unique<RestartVerifier>();
}

}  // namespace docspec
