#include "core/decode/verify/sampling_verifier.h"

namespace docspec {
namespace {

class BlockVerifier : public ChainVerifier {
  ChainResult verify_chains(const DraftTree& tree, std::span<const Chain> chains,
                            const Draws& draws) const override {
    return chain_result_of(chains[0], cut_block(tree, chains[0], draws, 0, draws.target(0), 0));
  }
};

}  // namespace

std::unique_ptr<Verifier> make_block_verifier() {
  return std::make_unique<BlockVerifier>();
}

}  // namespace docspec
