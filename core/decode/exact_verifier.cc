#include "core/decode/exact_verifier.h"

namespace docspec {

Acceptance taken_on_way(std::span<const int32_t> place, std::span<const int32_t> choice) {
  Acceptance taken;
  int32_t last = 0;
  for (size_t row = 1; row < place.size(); ++row) {  // parents come first
    if (place[row] <= 0) continue;
    last = int32_t(row);
    taken.path.push_back(last);
  }
  taken.bonus = choice[size_t(last)];
  return taken;
}

namespace {

class ExactVerifier : public Verifier {
 public:
  bool exact() const override { return true; }

  Acceptance verify(const DraftTree& tree, const TreeStats& stats) const override {
    const auto of_tree = [&](const std::vector<int32_t>& rows) {
      return std::span(rows).subspan(stats.first, tree.rows());
    };
    return taken_on_way(of_tree(stats.rows->place), of_tree(stats.rows->argmax));
  }
};

}  // namespace

std::unique_ptr<Verifier> make_exact_verifier() {
  return std::make_unique<ExactVerifier>();
}

}  // namespace docspec
