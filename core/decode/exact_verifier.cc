#include "core/decode/exact_verifier.h"

namespace docspec {
namespace {

class ExactVerifier : public Verifier {
 public:
  bool exact() const override { return true; }

  Acceptance verify(const DraftTree& tree, const TreeStats& stats) const override {
    Acceptance taken;
    int32_t at = 0;
    for (int32_t next; (next = tree.child(at, stats.argmax(at))) >= 0; at = next)
      taken.path.push_back(next);
    taken.bonus = stats.argmax(at);
    return taken;
  }
};

}  // namespace

std::unique_ptr<Verifier> make_exact_verifier() {
  return std::make_unique<ExactVerifier>();
}

}  // namespace docspec
