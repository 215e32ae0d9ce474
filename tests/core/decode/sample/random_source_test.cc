#include "core/decode/sample/random_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace docspec {
namespace {

TEST(RandomSource, PhiloxGivesThePublishedNumbers) {
  // kat_vectors of Random123, philox4x32 with 10 rounds.
  using Words = std::array<uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t kAll = 0xffffffff;
  EXPECT_EQ(philox({kAll, kAll, kAll, kAll}, {kAll, kAll}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomSource, DrawsWithTheGivenWeights) {
  const std::vector<double> weights = {0, 1, 0, 5, 2, 0};
  std::vector<double> count(weights.size(), 0);
  constexpr int kDraws = 40000;
  for (int i = 0; i < kDraws; ++i) ++count[size_t(CounterRandom(7, 3, i).draw(weights, 0))];
  double chi = 0;
  for (size_t v = 0; v < weights.size(); ++v) {
    const double expected = kDraws * weights[v] / 8;
    if (expected == 0)
      EXPECT_EQ(count[v], 0) << v;
    else
      chi += (count[v] - expected) * (count[v] - expected) / expected;
  }
  EXPECT_LT(chi, 13.8);  // two degrees of freedom, one in a thousand
}

TEST(RandomSource, ADrawnTokenDependsOnItsPlaceInTheOutputAlone) {
  const std::vector<double> weights(1000, 1);
  for (int64_t at = 5; at < 50; ++at)
    EXPECT_EQ(CounterRandom(1, 2, at).draw(weights, 0),
              CounterRandom(1, 2, at - 5).draw(weights, 5));
  std::set<int32_t> seen;
  for (uint32_t k = 0; k < 20; ++k) {
    seen.insert(CounterRandom(k, 2, 9).draw(weights, 0));
    seen.insert(CounterRandom(1, 100 + k, 9).draw(weights, 0));
    seen.insert(CounterRandom(uint64_t{k} << 40 | 1, 2, 9).draw(weights, 0));
    seen.insert(CounterRandom(1, 2, 100 + k).draw(weights, 0));
  }
  EXPECT_GT(seen.size(), 65u);
}

TEST(RandomSource, AcceptsWithTheGivenProbabilityAndNeverTheImpossible) {
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    CounterRandom rng(3, 4, i);
    taken += rng.accept(.3, 2, 1);
    EXPECT_FALSE(rng.accept(0, 0, 0));
    EXPECT_FALSE(rng.accept(std::nan(""), 0, 0));
    EXPECT_TRUE(rng.accept(1, 1, 0));
  }
  EXPECT_NEAR(taken, 6000, 4 * std::sqrt(20000 * .3 * .7));
}

TEST(RandomSource, JudgementsOfOnePlaceInTwoPassesAreNotOneCoin) {
  int same = 0;
  for (int i = 0; i < 4000; ++i)  // the token at output index i + 3, judged by two passes
    same += CounterRandom(1, 1, i).accept(.5, 3, 0) == CounterRandom(1, 1, i + 1).accept(.5, 2, 0);
  EXPECT_NEAR(same, 2000, 130);
}

}  // namespace
}  // namespace docspec
