#include "core/decode/verify/sampling_verifier.h"

namespace docspec {
namespace {

class TokenVerifier : public ChainVerifier {
  ChainResult verify_chains(const DraftTree& tree, std::span<const Chain> chains,
                            const Draws& draws) const override {
    return chain_result_of(chains[0], cut_token_wise(tree, chains[0], draws));
  }
};

}  // namespace

std::unique_ptr<Verifier> make_token_verifier() {
  return std::make_unique<TokenVerifier>();
}

}  // namespace docspec
