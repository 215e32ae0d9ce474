#include "core/decode/draft_model/variant_weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "tests/support/all_outcomes.h"

namespace docspec {
namespace {

/// algorithms.md 3.6: variants with the image (M) and without (T), two verified positions.
VariantWeights example(WeightRule rule, size_t window = 0) {
  VariantWeights out(2, {.rule = rule, .window = window});
  out.observe({.7, .2, .1}, std::vector<Distribution>{{.6, .3, .1}, {.2, .7, .1}});
  out.observe({.1, .8, .1}, std::vector<Distribution>{{.3, .4, .3}, {.1, .85, .05}});
  return out;
}

TEST(VariantWeights, SumsOfTheWorkedExample) {
  const VariantWeights weights = example(WeightRule::tabed);
  const std::vector<double> kl = {.36161, .31518, .28469, .26895, .26754, .28068,
                                  .30938, .35554, .42251, .51608, .64720};
  ASSERT_EQ(weights.grid().size(), kl.size());
  for (size_t j = 0; j < kl.size(); ++j) {
    EXPECT_NEAR(weights.grid()[j][0], 1 - double(j) / 10, 1e-12);
    EXPECT_NEAR(weights.scores()[j].kl, kl[j], 5e-6) << j;
    EXPECT_EQ(weights.scores()[j].matches, j <= 3 ? 2 : 1) << j;
  }
}

TEST(VariantWeights, EachRulePicksWhatTheWorkedExampleSays) {
  EXPECT_NEAR(example(WeightRule::equal).weights()[0], .5, 1e-12);
  EXPECT_NEAR(example(WeightRule::tabed).weights()[0], .7, 1e-12);
}

TEST(VariantWeights, AWindowForgetsAndEqualsAFreshCount) {
  std::mt19937 rng(3);
  VariantWeights windowed(3, {.window = 4});
  std::vector<std::pair<Distribution, std::vector<Distribution>>> seen;
  for (int i = 0; i < 20; ++i) {
    seen.push_back(
        {dirichlet(rng, 5, 1), {dirichlet(rng, 5, 1), dirichlet(rng, 5, 1), dirichlet(rng, 5, 1)}});
    windowed.observe(seen.back().first, seen.back().second);
    VariantWeights fresh(3, {});
    for (size_t k = seen.size() - std::min<size_t>(4, seen.size()); k < seen.size(); ++k)
      fresh.observe(seen[k].first, seen[k].second);
    const auto a = windowed.weights(), b = fresh.weights();
    for (size_t m = 0; m < 3; ++m) EXPECT_NEAR(a[m], b[m], 1e-9) << i;
  }
}

TEST(VariantWeights, ZerosAreHarmlessAndWeightsSumToOne) {
  for (int rule = 0; rule <= int(WeightRule::tabed); ++rule) {
    VariantWeights weights(2, {.rule = WeightRule(rule)});
    EXPECT_EQ(weights.weights(), (std::vector<double>{.5, .5}));
    weights.observe({1, 0, 0}, std::vector<Distribution>{{1, 0, 0}, {0, 0, 1}});
    const auto now = weights.weights();
    EXPECT_NEAR(now[0] + now[1], 1, 1e-12) << rule;
    if (rule > 0) {
      EXPECT_GT(now[0], .99) << rule;
    }
  }
  EXPECT_THROW(VariantWeights(0, {}), Error);
}

TEST(VariantWeights, TheMixtureMixesProbabilities) {
  const Distribution mixed = VariantWeights::mixture(std::vector<double>{.25, .75},
                                                     std::vector<Distribution>{{1, 0}, {.2, .8}});
  EXPECT_NEAR(mixed[0], .4, 1e-12);
  EXPECT_NEAR(mixed[1], .6, 1e-12);
}

}  // namespace
}  // namespace docspec
