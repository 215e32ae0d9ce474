#include "core/decode/verify/exact_verifier.h"

namespace docspec {
namespace {

class ExactVerifier : public Verifier {
 public:
  bool exact() const override { return true; }

  Acceptance verify(const DraftTree& tree, const TreeStats& stats) const override {
    const auto of_tree = [&](const std::vector<int32_t>& rows) {
      return std::span(rows).subspan(stats.first, tree.rows());
    };
    return acceptance_along_path(of_tree(stats.rows->path_position), of_tree(stats.rows->argmax));
  }
};

}  // namespace

std::unique_ptr<Verifier> make_exact_verifier() {
  return std::make_unique<ExactVerifier>();
}

}  // namespace docspec
