#include <algorithm>

#include "core/decode/verify/sampling_verifier.h"

namespace docspec {
namespace {

class RestartVerifier : public ChainVerifier {
  Verdict judge(const DraftTree& tree, std::span<const Chain> chains,
                const Draws& draws) const override {
    Verdict verdict{{}, draws.target(0)};
    for (size_t k = 0; k < chains.size(); ++k) {
      const std::vector<int32_t>& rows = chains[k].rows;
      const size_t from = verdict.path.size();
      if (rows.size() <= from ||
          !std::equal(verdict.path.begin(), verdict.path.end(), rows.begin()))
        continue;
      verdict = verdict_of(chains[k],
                           cut_block(tree, chains[k], draws, from, std::move(verdict.owed), k));
    }
    return verdict;
  }
};

}  // namespace

std::unique_ptr<Verifier> make_restart_verifier() {
  return std::make_unique<RestartVerifier>();
}

}  // namespace docspec
