#include "core/decode/sample/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace docspec {
namespace {

std::vector<float> logits_of(const Distribution& distribution) {
  std::vector<float> out;
  for (const double p : distribution) out.push_back(float(std::log(p)));
  return out;
}

void expect_law(const Distribution& distribution, const Distribution& expected) {
  ASSERT_EQ(distribution.size(), expected.size());
  for (size_t v = 0; v < distribution.size(); ++v)
    EXPECT_NEAR(distribution[v], expected[v], 1e-6) << v;
}

const Distribution kLaw = {.1, .4, .2, .05, .25};

TEST(Sampling, TemperatureRaisesProbabilitiesToItsInverse) {
  expect_law(sampling_distribution(logits_of(kLaw), {.temperature = 1}), kLaw);
  Distribution squared;
  for (const double p : kLaw) squared.push_back(p * p);
  const double sum = sum_of(squared);
  for (double& p : squared) p /= sum;
  expect_law(sampling_distribution(logits_of(kLaw), {.temperature = .5}), squared);
}

TEST(Sampling, TopPKeepsTheFewestThatReachIt) {
  const auto logits = logits_of(kLaw);
  expect_law(sampling_distribution(logits, {1, .3, 0, 0}), {0, 1, 0, 0, 0});
  expect_law(sampling_distribution(logits, {1, .5, 0, 0}), {0, .4 / .65, 0, 0, .25 / .65});
  expect_law(sampling_distribution(logits, {1, .8, 0, 0}), {0, .4 / .85, .2 / .85, 0, .25 / .85});
  expect_law(sampling_distribution(logits, {1, 0, 0, 0}), {0, 1, 0, 0, 0});
}

TEST(Sampling, TopKKeepsTheLikeliestAndThoseAsLikelyAsTheLast) {
  expect_law(sampling_distribution(logits_of(kLaw), {1, 1, 2, 0}), {0, .4 / .65, 0, 0, .25 / .65});
  const std::vector<float> ties = {1, 0, 1, 0, -1};
  expect_law(sampling_distribution(ties, {1, 1, 1, 0}), {.5, 0, .5, 0, 0});
  expect_law(sampling_distribution(ties, {1, 1, 99, 0}), sampling_distribution(ties, {1, 1, 0, 0}));
}

TEST(Sampling, TopPIsOfWhatTopKLeft) {
  // Of .4 .25 .2 the first is .47 and the first two are .76: with 0.6 two stay, of all it were .65.
  expect_law(sampling_distribution(logits_of(kLaw), {1, .7, 3, 0}), {0, .4 / .65, 0, 0, .25 / .65});
  expect_law(sampling_distribution(logits_of(kLaw), {1, .7, 0, 0}),
             {0, .4 / .85, .2 / .85, 0, .25 / .85});
}

TEST(Sampling, BannedTokensAndBrokenRowsAreHarmless) {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  expect_law(sampling_distribution(std::vector<float>{kNever, 1, 1}, {2, 1, 0, 0}), {0, .5, .5});
  for (const float bad : {kNever, std::nanf("")})
    expect_law(sampling_distribution(std::vector<float>{bad, bad, bad}, {1, .9, 2, 0}), {1, 0, 0});
}

TEST(Sampling, LeavesOfATreeAreChainsLikeliestFirst) {
  DraftTree tree(0);
  tree.insert(std::vector<int32_t>{1, 2, 3}, 0, 1, 99);
  tree.insert(std::vector<int32_t>{1, 4}, 0, 1, 99);
  tree.insert(std::vector<int32_t>{5}, 0, 1, 99);
  const std::vector<Chain> chains = leaf_chains(tree);
  ASSERT_EQ(chains.size(), 3u);
  EXPECT_EQ(chains[0].rows, (std::vector<int32_t>{1, 2, 3}));
  EXPECT_EQ(chains[1].rows, (std::vector<int32_t>{1, 4}));
  EXPECT_EQ(chains[2].rows, (std::vector<int32_t>{5}));
  EXPECT_TRUE(leaf_chains(DraftTree(0)).empty());
}

}  // namespace
}  // namespace docspec
