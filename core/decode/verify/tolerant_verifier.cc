#include "core/decode/verify/tolerant_verifier.h"

#include <cmath>

namespace docspec {
namespace {

/// Common base of the tolerant rules, which differ in the tokens that they accept.
class ToleranceVerifier : public Verifier {
 public:
  explicit ToleranceVerifier(double tau) : tau_(tau) {}
  /// At tau = 1 either ratio would accept an equal logit of a higher id; the tie must go to the
  /// lowest.
  bool exact() const override { return tau_ >= 1; }

  Acceptance verify(const DraftTree& tree, const TreeStats& stats) const override {
    Acceptance taken;
    int32_t at = 0;
    for (int32_t next; (next = best_child(tree, stats, at)) >= 0; at = next) {
      const bool same = tree.token()[next] == stats.argmax(at);
      const double top = stats.top_logprob(at), own = stats.child_logprob(next, at);
      if (!same && (exact() || !tolerates(top, own))) break;
      taken.path.push_back(next);
    }
    taken.bonus = stats.argmax(at);
    return taken;
  }

 protected:
  /// Whether a token of log-probability `own` may replace the argmax of log-probability `top`.
  virtual bool tolerates(double top, double own) const = 0;
  const double tau_;

 private:
  /// The target's argmax if it was proposed, else the likeliest child; ties go to the lowest id.
  static int32_t best_child(const DraftTree& tree, const TreeStats& stats, int32_t row) {
    int32_t best = tree.child(row, stats.argmax(row));
    if (best >= 0) return best;
    for (int32_t i = row + 1; i < int32_t(tree.rows()); ++i) {
      if (tree.parent()[i] != row) continue;
      const double gain =
          best < 0 ? 1 : stats.child_logprob(i, row) - stats.child_logprob(best, row);
      if (gain > 0 || (gain == 0 && tree.token()[i] < tree.token()[best])) best = i;
    }
    return best;
  }
};

class TolerantVerifier : public ToleranceVerifier {
 public:
  using ToleranceVerifier::ToleranceVerifier;

 private:
  /// top / own >= tau for negative values, without a division by 0 or infinity.
  bool tolerates(double top, double own) const override { return top <= tau_ * own; }
};

class ProbRatioVerifier : public ToleranceVerifier {
 public:
  using ToleranceVerifier::ToleranceVerifier;

 private:
  bool tolerates(double top, double own) const override { return own - top >= std::log(tau_); }
};

}  // namespace

std::unique_ptr<Verifier> make_tolerant_verifier(double tau) {
  return std::make_unique<TolerantVerifier>(tau);
}

std::unique_ptr<Verifier> make_prob_ratio_verifier(double tau) {
  return std::make_unique<ProbRatioVerifier>(tau);
}

}  // namespace docspec
