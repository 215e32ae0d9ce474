#include "core/decode/verify/sampling_verifier.h"

namespace docspec {
namespace {

class FollowVerifier : public SamplingVerifier {
 public:
  bool follows() const override { return true; }

 protected:
  Acceptance sample(const DraftTree& tree, const Draws& draws) const override {
    if (!draws.drawn.empty()) return acceptance_along_path(draws.path_position, draws.drawn);
    Acceptance taken;
    for (int32_t at = 0; at >= 0;) {
      taken.bonus = draws.rng->draw(draws.target(at), taken.path.size());
      at = tree.child(at, taken.bonus);
      if (at >= 0) taken.path.push_back(at);
    }
    return taken;
  }
};

}  // namespace

std::unique_ptr<Verifier> make_follow_verifier() {
  return std::make_unique<FollowVerifier>();
}

}  // namespace docspec
