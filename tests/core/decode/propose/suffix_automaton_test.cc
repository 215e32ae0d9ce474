#include "core/decode/propose/suffix_automaton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/decode/propose/automaton_proposer.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

bool occurs(const std::vector<Ids>& texts, std::span<const int32_t> part) {
  return std::any_of(texts.begin(), texts.end(), [&](const Ids& text) {
    return std::search(text.begin(), text.end(), part.begin(), part.end()) != text.end();
  });
}

/// Length of the longest end of `query` that occurs in one of the texts.
size_t longest_end(const std::vector<Ids>& texts, const Ids& query) {
  size_t length = 0;
  while (length < query.size() && occurs(texts, std::span(query).last(length + 1))) ++length;
  return length;
}

TEST(SuffixAutomaton, FindsTheLongestEndOfAnyText) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const auto any = [&](size_t length) {
      Ids ids(length);
      for (auto& id : ids) id = int32_t(rng() % (2 + seed % 4));
      return ids;
    };
    SuffixAutomaton automaton;
    std::vector<Ids> texts;
    for (size_t k = 1 + rng() % 4; k > 0; --k) {
      texts.push_back(any(rng() % 30));
      automaton.end_sequence();
      for (const int32_t id : texts.back()) automaton.add(id);
    }
    SuffixAutomaton::Match match_length;
    Ids query;
    for (const int32_t id : any(40)) {
      query.push_back(id);
      automaton.advance(match_length, id);
      ASSERT_EQ(size_t(match_length.length), longest_end(texts, query));
      if (match_length.length == 0) continue;
      const auto end = size_t(automaton.last_end(match_length));
      ASSERT_LE(size_t(match_length.length), end);
      const auto found =
          automaton.text().subspan(end - size_t(match_length.length), size_t(match_length.length));
      EXPECT_TRUE(std::equal(found.begin(), found.end(), query.end() - match_length.length));
    }
  }
}

TEST(SuffixAutomaton, MatchesStayRightWhileTheTextGrows) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 rng(seed);
    SuffixAutomaton automaton;
    SuffixAutomaton::Match match_length;
    Ids output;
    for (int i = 0; i < 60; ++i) {
      if (!output.empty()) automaton.add(output.back());
      const Ids before = output;
      output.push_back(int32_t(rng() % 3));
      automaton.advance(match_length, output.back());
      ASSERT_EQ(size_t(match_length.length), longest_end({before}, output)) << "seed " << seed;
    }
  }
}

Ids first_candidate(Proposer& proposer, const Ids& output) {
  const auto found = proposer.propose(output);
  return found.empty() ? Ids{} : Ids(found[0].tokens.begin(), found[0].tokens.end());
}

TEST(AutomatonProposer, PrefersTheLongestMatchAndThenTheLatest) {
  const std::vector<DraftTokens> drafts = {{"a", {1, 2, 3, 4, 5}}, {"b", {9, 2, 3, 7, 8}}};
  const auto proposer = make_automaton_proposer(drafts, {}, true, {});
  EXPECT_EQ(first_candidate(*proposer, {1, 2, 3}), (Ids{4, 5}));
  const auto other = make_automaton_proposer(drafts, {}, true, {});
  EXPECT_EQ(first_candidate(*other, {2, 3}), (Ids{7, 8})) << "both match two; b came later";
}

TEST(AutomatonProposer, ReadsTheOutputOtherPagesAndLateDrafts) {
  const std::vector<Ids> earlier = {{40, 41, 42, 43}};
  const auto proposer = make_automaton_proposer({}, earlier, true, {});
  EXPECT_EQ(first_candidate(*proposer, {40, 41}), (Ids{42, 43}));
  EXPECT_EQ(first_candidate(*proposer, {40, 41, 5, 6, 7, 5, 6}), (Ids{7, 5}))
      << "from the output, which never matches its own end";
  proposer->add({"verified", {70, 71, 72}});
  EXPECT_EQ(first_candidate(*proposer, {40, 41, 5, 6, 7, 5, 6, 70, 71}), (Ids{72}));
  const auto candidates = proposer->propose(Ids{40, 41, 5, 6, 7, 5, 6, 70, 71});
  EXPECT_EQ(candidates[0].source, "verified");
  const auto history = make_automaton_proposer({}, earlier, false, {});
  history->add({"verified", {70, 71, 72}});
  EXPECT_TRUE(first_candidate(*history, {70, 71}).empty());
}

}  // namespace
}  // namespace docspec
