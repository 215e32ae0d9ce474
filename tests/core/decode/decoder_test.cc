#include "core/decode/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/decode/propose/window_proposer.h"
#include "core/decode/registry.h"
#include "core/decode/verify/exact_verifier.h"
#include "tests/support/decode_laws.h"

namespace docspec {
namespace {

TEST(Decoder, DraftsNeverChangeTheOutput) {
  int64_t accepted = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) accepted += expect_exact(seed);
  EXPECT_GT(accepted, 500);  // the law is empty where nothing is ever accepted
}

TEST(Decoder, NoProposerNorAllTogetherChangeTheOutput) {
  std::vector<std::string> lists = {automatic(proposers())};
  for (const auto& entry : proposers()) lists.emplace_back(entry.name);
  for (const std::string& propose : lists)
    for (uint32_t seed = 100; seed < 120; ++seed) expect_exact(seed, propose);
}

TEST(Decoder, PlainDecodingIsOneTokenAPass) {
  ToyCase toy;
  toy.prompts = {{1, 2, 3}};
  toy.limits.max_new_tokens = 40;
  const ToyResult plain = run(toy, *make_exact_verifier(), ProposersOf());
  EXPECT_EQ(plain.output[0].size(), 40u);
  EXPECT_EQ(plain.stats.passes, 39);  // the prefill gives the first
  EXPECT_EQ(plain.stats.rows, 39);
  EXPECT_EQ(plain.stats.accepted, 0);
  EXPECT_EQ(plain.stats.tokens_per_pass(), 1);
}

TEST(Decoder, PerfectDraftTakesTheLeastPasses) {
  ToyCase toy;
  toy.lm = {.vocab = 5000, .seed = 3, .stop = 4999, .stop_rate = 0.005};
  toy.prompts = {{7, 7, 7}};
  toy.limits = {.max_new_tokens = 2000, .stop_ids = {4999}};
  const auto exact = make_exact_verifier();
  const ToyResult plain = run(toy, *exact, ProposersOf());
  const size_t tokens = plain.output[0].size();
  ASSERT_GT(tokens, 50u);
  ASSERT_LT(tokens, 2000u);
  toy.drafts = {{{"truth", plain.output[0]}}};
  for (size_t rows : {2u, 4u, 8u, 16u, 32u}) {
    toy.options.cost.fixed = rows;
    const ToyResult drafted = run(toy, *exact, window_of({.stop_token = 4999}));
    EXPECT_EQ(drafted.output, plain.output);
    // All tokens but the first and with the stop token, `rows` at a time.
    EXPECT_EQ(size_t(drafted.stats.passes), (tokens + rows - 1) / rows) << rows << " rows";
    EXPECT_EQ(drafted.stats.emitted, int64_t(tokens));
    EXPECT_EQ(drafted.stats.by_source.at("truth").accepted, drafted.stats.accepted);
  }
}

TEST(Decoder, AalPlusOneIsTokensPerPassUpToTheLastStep) {
  std::mt19937 rng(5);
  for (int i = 0; i < 20; ++i) {
    ToyCase toy = random_case(rng);
    const auto exact = make_exact_verifier();
    const ToyResult plain = run(toy, *exact, ProposersOf());
    for (const auto& output : plain.output) toy.drafts.push_back({{"truth", output}});
    const ToyResult drafted = run(toy, *exact, window_of({}));
    const DecodeStats& s = drafted.stats;
    EXPECT_LE(s.emitted, s.accepted + s.passes);
    EXPECT_GE(s.emitted, s.accepted + s.passes - int64_t(toy.prompts.size()));
    DecodeStats sum;
    for (const auto& job : drafted.job_stats) sum += job;
    EXPECT_EQ(sum.emitted, s.emitted);
    EXPECT_EQ(sum.by_source["truth"].accepted, s.accepted);
  }
}

TEST(Decoder, FinishedJobsLeaveTheBatchAndBudgetsHold) {
  ToyCase toy;
  toy.lm = {.vocab = 400, .stop = 9, .stop_rate = 0.05};
  for (int32_t i = 0; i < 7; ++i) toy.prompts.push_back({i, i + 1});
  toy.limits = {.max_new_tokens = 30, .stop_ids = {9}};
  toy.options.max_batch = 3;
  const ToyResult plain = run(toy, *make_exact_verifier(), ProposersOf());
  EXPECT_LT(plain.stats.forwards, plain.stats.passes);
  EXPECT_GE(plain.stats.forwards * 3, plain.stats.passes);
  for (size_t i = 0; i < plain.output.size(); ++i) {
    EXPECT_LE(plain.output[i].size(), 30u);
    EXPECT_EQ(std::count(plain.output[i].begin(), plain.output[i].end(), 9), 0);
  }
}

TEST(Decoder, TakesAJobAPassUntilItsPlacesAreFull) {
  ToyCase toy;
  toy.lm = {.vocab = 400, .stop = 9, .stop_rate = 0};
  for (int32_t i = 0; i < 5; ++i) toy.prompts.push_back({i, i + 1});
  toy.limits = {.max_new_tokens = 21, .stop_ids = {9}};  // the first token and 20 passes
  toy.options.max_batch = 2;
  toy.ready = 0;
  const ToyResult plain = run(toy, *make_exact_verifier(), ProposersOf());
  // Two streams of places: 20 + 20 + 20 passes, and 20 + 20 from the second pass on.
  EXPECT_EQ(plain.stats.passes, 100);
  EXPECT_EQ(plain.stats.forwards, 60);
}

TEST(Decoder, RowsOfAPassStayWithinTheBudget) {
  std::mt19937 rng(11);
  const auto exact = make_exact_verifier();
  ToyCase toy;
  toy.lm.order = 2;
  toy.prompts = {{1}, {2}, {3}};
  toy.limits.max_new_tokens = 50;
  const ToyResult plain = run(toy, *exact, ProposersOf());
  for (size_t i = 0; i < 3; ++i)
    toy.drafts.push_back(random_drafts(rng, plain.output[i], plain.output[0], 97, 5));
  for (size_t budget : {1u, 3u, 10u, 64u}) {
    toy.options.cost.fixed = budget;
    const ToyResult drafted = run(toy, *exact, window_of({}));
    EXPECT_EQ(drafted.output, plain.output);
    EXPECT_LE(drafted.stats.rows, drafted.stats.forwards * int64_t(std::max<size_t>(budget, 3)));
  }
}

TEST(Decoder, RefusesACacheThatDoesNotHoldThePrompt) {
  const ToyLm lm({});
  EXPECT_THROW(Job({1, "page", {}}, {1, 2, 3}, lm.prefill({1, 2}), {}), Error);
}

}  // namespace
}  // namespace docspec
