#include "core/decode/propose/window_proposer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

std::vector<Ids> proposed(Proposer& proposer, const Ids& output) {
  std::vector<Ids> out;
  for (const Candidate& c : proposer.propose(output))
    out.emplace_back(c.tokens.begin(), c.tokens.end());
  return out;
}

std::vector<Ids> sorted(std::vector<Ids> sets) {
  std::sort(sets.begin(), sets.end());
  return sets;
}

/// Tells the proposer that `emitted` was accepted.
void observe(Proposer& proposer, const Ids& emitted) {
  const DraftTree tree(0);
  proposer.observe({tree, {}, {}, emitted});
}

const std::vector<DraftTokens> kExample = {{"a", {9, 1, 2, 3, 4, 5, 6}},
                                           {"b", {1, 2, 3, 4, 7, 8}},
                                           {"c", {1, 2, 3, 9}},
                                           {"d", {7, 1, 2, 3}},
                                           {"e", {1, 2, 3, 4, 5, 0}}};

TEST(WindowProposer, CandidatesOfTheWorkedExample) {
  const auto proposer = make_window_proposer(kExample, {});
  EXPECT_EQ(sorted(proposed(*proposer, {50, 1, 2, 3})),
            (std::vector<Ids>{{4, 5, 0}, {4, 5, 6}, {4, 7, 8}, {9}}));
}

TEST(WindowProposer, ProposesTheStopTokenWhereADraftEnds) {
  const auto proposer = make_window_proposer(kExample, {.stop_token = 77});
  EXPECT_EQ(sorted(proposed(*proposer, {50, 1, 2, 3})),
            (std::vector<Ids>{{4, 5, 0, 77}, {4, 5, 6, 77}, {4, 7, 8, 77}, {9, 77}, {77}}));
}

TEST(WindowProposer, ShrinksTheWindowAndOffersHeadsAtTheStart) {
  const auto proposer = make_window_proposer({{"a", {5, 6, 7}}, {"b", {8, 5, 9}}}, {});
  EXPECT_EQ(proposed(*proposer, {5}), (std::vector<Ids>{{6, 7}, {9}, {5, 6, 7}, {8, 5, 9}}));
  EXPECT_EQ(proposed(*proposer, {4, 5}), (std::vector<Ids>{{5, 6, 7}, {8, 5, 9}}));
  EXPECT_TRUE(proposed(*proposer, {3, 4, 5}).empty());
  EXPECT_TRUE(proposed(*make_window_proposer({}, {}), {5}).empty());
  EXPECT_TRUE(proposed(*make_window_proposer({{"a", {}}}, {.stop_token = 1}), {5}).empty());
}

TEST(WindowProposer, RanksByTheCursorOfEachDraft) {
  Ids table;  // a row mark in front of every cell, as in tables
  for (int32_t cell = 0; cell < 50; ++cell) table.insert(table.end(), {1, 2, 3, 100 + cell});
  const auto proposer = make_window_proposer({{"t", table}}, {.max_candidates = 8});
  EXPECT_EQ(proposed(*proposer, {1, 2, 3})[0][0], 100);
  observe(*proposer, {100, 1, 2, 3});  // as the draft has it
  EXPECT_EQ(proposed(*proposer, {1, 2, 3, 100, 1, 2, 3})[0][0], 101);
  const auto capped = proposed(*proposer, {100, 1, 2, 3});
  EXPECT_EQ(capped.size(), 8u);
  // A quarter of the places goes to the longest suffixes.
  EXPECT_TRUE(
      std::any_of(capped.begin(), capped.end(), [](const Ids& c) { return c.size() > 190; }));
}

TEST(WindowProposer, CutsSuffixes) {
  Ids draft(1000);
  for (size_t i = 0; i < draft.size(); ++i) draft[i] = int32_t(i);
  const auto proposer = make_window_proposer({{"a", draft}}, {.max_suffix = 256});
  EXPECT_EQ(proposed(*proposer, {10, 11, 12})[0].size(), 256u);
  EXPECT_EQ(proposed(*proposer, {990, 991, 992})[0].size(), 7u);
}

}  // namespace
}  // namespace docspec
