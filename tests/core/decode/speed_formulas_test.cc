#include <gtest/gtest.h>

#include <cmath>

#include "core/decode/verify/sampling_verifier.h"
#include "tests/support/all_outcomes.h"

namespace docspec {
namespace {

/// Speed of speculation as the papers compute it ([double] 3, algorithms.md 4.3): a token of the
/// draft passes with chance `a`, a draft has `g` tokens, a target pass costs `c` draft passes.
struct Speed {
  double a, g, c;
  double one_round() const { return (1 - std::pow(a, g + 1)) / (1 - a); }  // E[L_s]
  double rounds() const { return 1 / (1 - std::pow(a, g)); }               // k
  double until_refused() const { return (rounds() - 1) * (g + 1) + one_round(); }
  double serial() const { return until_refused() * c / (rounds() * (g + c)); }
  double parallel() const { return (until_refused() - rounds() + 1) * c / (rounds() * g + c); }
};

TEST(SpeedFormulas, ThePapersNumbers) {
  const Speed speed{.8, 4, 4};
  EXPECT_NEAR(speed.one_round(), 3.3616, 5e-5);
  EXPECT_NEAR(speed.rounds(), 1.693767, 5e-7);
  EXPECT_NEAR(speed.until_refused(), 6.830435, 5e-7);
  EXPECT_NEAR(speed.serial(), 2.016344, 5e-7);
  EXPECT_NEAR(speed.parallel(), 2.278099, 5e-7);
  // [tabed]: block efficiency 2.29 by chains of 5 at .063 of a target pass each.
  EXPECT_NEAR(2.29 / (5 * .063 + 1), 1.7414, 5e-5);
}

TEST(SpeedFormulas, TheRoundIsWhatTheTokenRuleEmits) {
  // p and q share .7 + .1 of their weight: each token passes with chance .8.
  for (const size_t length : {1u, 2u, 4u, 6u}) {
    ToyPass pass{2, length, 1, {}, {}, {}};
    pass.p = table_of(2, length + 1, [](const std::vector<int32_t>&) {
      return Distribution{.9, .1};
    });
    pass.q = table_of(2, length, [](const std::vector<int32_t>&) { return Distribution{.7, .3}; });
    pass.told = pass.q;
    const Speed speed{.8, double(length), 4};
    EXPECT_NEAR(distribution_of(*make_token_verifier(), pass).accepted + 1, speed.one_round(),
                1e-12);
  }
}

TEST(SpeedFormulas, ParallelDraftingNeverPaysMoreThanTheDraftIsFaster) {
  for (double a = .05; a < .99; a += .05)
    for (double c : {1.6, 2.8, 3.9, 5.0})
      EXPECT_LE((Speed{a, std::ceil(c), c}.parallel()), c + 1e-9) << a << ' ' << c;
}

}  // namespace
}  // namespace docspec
