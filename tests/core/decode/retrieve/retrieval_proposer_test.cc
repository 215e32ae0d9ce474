#include "core/decode/retrieve/retrieval_proposer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "core/decode/registry.h"
#include "tests/support/decode_laws.h"

namespace docspec {
namespace {

std::shared_ptr<const SuffixIndex> prior_of(const std::vector<Ids>& texts) {
  auto layer = std::make_shared<SuffixIndex>();
  for (const Ids& text : texts) layer->add_text(text);
  return layer;
}

/// The first phrase of each layer.
std::map<std::string, Ids> phrases(Proposer& proposer, const Ids& output) {
  std::map<std::string, Ids> out;
  for (const Candidate& candidate : proposer.propose(output))
    out.try_emplace(std::string(candidate.source),
                    Ids(candidate.tokens.begin(), candidate.tokens.end()));
  return out;
}

TEST(RetrievalProposer, FindsThePhraseOfTheWorkedExample) {
  // algorithms.md 4.6: store 1..7, output ends 1 2 3, depth 4.
  const auto proposer =
      make_retrieval_proposer(prior_of({{1, 2, 3, 4, 5, 6, 7}}), {}, {.depth = 4});
  EXPECT_EQ(phrases(*proposer, {9, 1, 2, 3}).at("prior"), (Ids{4, 5, 6, 7}));
  EXPECT_EQ(phrases(*proposer, {9, 1, 2, 3, 4, 5, 6, 8}).count("prior"), 0u) << "no match, no row";
}

TEST(RetrievalProposer, ShortPhrasesAtTheEndCountAndNoneRunsIntoTheNextText) {
  const auto proposer = make_retrieval_proposer(prior_of({{1, 2, 3}, {7, 8, 9}}), {}, {});
  EXPECT_EQ(phrases(*proposer, {1, 2}).at("prior"), (Ids{3}));
  EXPECT_TRUE(phrases(*proposer, {1, 2, 3}).empty());
}

TEST(RetrievalProposer, TheLongestMatchThenTheLatestOccurrence) {
  const std::vector<Ids> earlier = {{4, 5, 6, 1}, {5, 6, 2}, {5, 6, 3}};
  const auto proposer = make_retrieval_proposer(nullptr, earlier, {});
  EXPECT_EQ(phrases(*proposer, {4, 5, 6}).at("history"), (Ids{1}));
  const auto other = make_retrieval_proposer(nullptr, earlier, {});
  EXPECT_EQ(phrases(*other, {8, 5, 6}).at("history"), (Ids{3}));
}

TEST(RetrievalProposer, HistoryIndexesTheRunningOutputAcrossSteps) {
  const auto proposer = make_retrieval_proposer(nullptr, {}, {});
  EXPECT_TRUE(phrases(*proposer, {1, 2}).empty());
  EXPECT_TRUE(phrases(*proposer, {1, 2, 3, 4}).empty());
  EXPECT_EQ(phrases(*proposer, {1, 2, 3, 4, 2, 3}).at("history"), (Ids{4, 2}))
      << "2 3 lay across two steps; the pending token is not in the index";
}

TEST(RetrievalProposer, ARefusedBranchIsFoundAgainInItsContext) {
  const auto proposer = make_retrieval_proposer(nullptr, {}, {});
  const Ids output = {1, 2, 3};
  phrases(*proposer, output);
  DraftTree tree(3);
  tree.insert(Ids{4, 5}, 0, 1, 99);
  tree.insert(Ids{6, 7, 8}, 0, 1, 99);
  const TreeStats stats;
  const Ids path = {1, 2}, emitted = {4, 5, 9};  // 6 7 8 was refused
  proposer->observe({tree, stats, path, emitted});
  const auto again = phrases(*proposer, {1, 2, 3, 4, 5, 9, 1, 2, 3});
  EXPECT_EQ(again.at("refused"), (Ids{6, 7, 8}));
  EXPECT_EQ(again.at("history"), (Ids{4, 5, 9, 1, 2}));
}

TEST(RetrievalProposer, EveryPhraseFollowsItsMatchInALayer) {
  std::mt19937 rng(9);
  for (int round = 0; round < 30; ++round) {
    std::vector<Ids> texts(1 + rng() % 4);
    for (Ids& text : texts) {
      text.resize(rng() % 40);
      for (auto& id : text) id = int32_t(rng() % 3);
    }
    const auto proposer = make_retrieval_proposer(prior_of(texts), {}, {.least_match = 3});
    Ids output;
    for (int i = 0; i < 40; ++i) {
      output.push_back(int32_t(rng() % 3));
      for (const Candidate& candidate : proposer->propose(output)) {
        if (candidate.source != "prior") continue;
        ASSERT_LE(candidate.match_length, int64_t(output.size()));
        Ids whole(output.end() - candidate.match_length, output.end());
        whole.insert(whole.end(), candidate.tokens.begin(), candidate.tokens.end());
        EXPECT_TRUE(std::any_of(texts.begin(), texts.end(),
                                [&](const Ids& text) {
                                  return std::search(text.begin(), text.end(), whole.begin(),
                                                     whole.end()) != text.end();
                                }))
            << "round " << round;
      }
    }
  }
}

TEST(RetrievalProposer, NeitherAPerfectNorAPoisonedStoreChangesTheOutput) {
  int64_t accepted = 0;
  for (const char* rule : {"exact", "follow"})
    for (uint32_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(std::string(rule) + " seed " + std::to_string(seed));
      std::mt19937 rng(seed);
      ToyCase toy = random_case(rng);
      if (std::string_view(rule) == "follow") toy.sampling = {1, .9, 0, seed};
      const auto verifier = make_verifier(parse_spec("--verify", rule, forms(verifiers())));
      const ToyResult plain = run(toy, *verifier, ProposersOf());
      std::vector<Ids> texts;
      for (const Ids& output : plain.output)
        for (const DraftTokens& draft :
             random_drafts(rng, output, plain.output[0], toy.lm.vocab, toy.lm.stop))
          texts.push_back(draft.ids);
      const auto prior = prior_of(texts);
      toy.drafts.resize(toy.prompts.size());
      const ToyResult drafted =
          run(toy, *verifier, ProposerOf([&](std::vector<DraftTokens>) {
                return make_retrieval_proposer(prior, texts, {int32_t(1 + rng() % 3), 8});
              }));
      EXPECT_EQ(drafted.output, plain.output);
      EXPECT_EQ(drafted.cache, plain.cache);
      accepted += drafted.stats.accepted;
    }
  EXPECT_GT(accepted, 500);
}

}  // namespace
}  // namespace docspec
