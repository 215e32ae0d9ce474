#include "core/read/runaway_detector.h"

#include <gtest/gtest.h>

#include <random>

namespace docspec {
namespace {

TokenIds random_ids(std::mt19937& rng, size_t count) {
  TokenIds out(count);
  for (int32_t& id : out) id = int32_t(rng() % 5000);
  return out;
}

TokenIds& append(TokenIds& to, const TokenIds& more, size_t times = 1) {
  for (; times > 0; --times) to.insert(to.end(), more.begin(), more.end());
  return to;
}

TEST(Witness, LetsAReadingOfItsDraftsPass) {
  std::mt19937 rng(1);
  for (int i = 0; i < 50; ++i) {
    const std::vector<TokenIds> drafts = {random_ids(rng, 40), random_ids(rng, 200)};
    TokenIds output = drafts[1];
    for (int edits = 0; edits < 20; ++edits) output[rng() % output.size()] = int32_t(rng() % 5000);
    append(output, random_ids(rng, 100));
    EXPECT_FALSE(find_runaway(output, drafts)) << i;
    EXPECT_FALSE(find_runaway(drafts[1], {}));
  }
}

TEST(Witness, CutsACircleWhereTheDraftsLastAgree) {
  std::mt19937 rng(2);
  for (size_t period = 1; period <= 64; ++period) {
    const std::vector<TokenIds> drafts = {random_ids(rng, 120)};
    TokenIds output(drafts[0].begin(), drafts[0].begin() + 50);
    append(output, {6001, 6002});
    append(output, random_ids(rng, period), 1 + 100 / period + 4);
    append(output, random_ids(rng, 5));
    const auto away = find_runaway(output, drafts);
    ASSERT_TRUE(away) << period;
    EXPECT_EQ(away->keep, 50u) << away->why;
  }
}

TEST(Witness, KnowsRepetitionsThatTheDraftsHave) {
  std::mt19937 rng(3);
  const TokenIds cell = {11, 12, 13};
  TokenIds table = random_ids(rng, 30);
  append(table, cell, 40);
  TokenIds output = table;
  EXPECT_FALSE(find_runaway(output, std::vector<TokenIds>{table}));
  append(output, cell, 100);
  EXPECT_TRUE(find_runaway(output, std::vector<TokenIds>{table}));
  EXPECT_TRUE(find_runaway(output, {})) << "without drafts a circle is one too";
}

TEST(Witness, CutsTextThatGoesOnWithoutThePage) {
  std::mt19937 rng(4);
  const std::vector<TokenIds> drafts = {random_ids(rng, 100)};
  TokenIds output = drafts[0];
  append(output, random_ids(rng, 400));
  const auto away = find_runaway(output, drafts);
  ASSERT_TRUE(away);
  EXPECT_EQ(away->keep, 100u);
  EXPECT_FALSE(find_runaway(output, std::vector<TokenIds>{TokenIds(10, 1)}))
      << "too little to judge by";
}

TEST(Witness, LastAgreedIsTheEndOfFourCommonTokens) {
  const std::vector<TokenIds> drafts = {{1, 2, 3, 4, 5}, {7, 8, 9}};
  const TokenIds output = {9, 1, 2, 3, 4, 6, 2, 3, 4, 5, 7, 8, 9};
  EXPECT_EQ(last_agreed(output, drafts, output.size()), 10u);
  EXPECT_EQ(last_agreed(output, drafts, 9), 5u);
  EXPECT_EQ(last_agreed(output, drafts, 4), 0u);
  EXPECT_EQ(last_agreed(output, {}, output.size()), 0u);
}

}  // namespace
}  // namespace docspec
