#include "core/decode/registry.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/support/all_outcomes.h"
#include "tests/support/decode_laws.h"

namespace docspec {
namespace {

/// The proposer that a user gets by `text`.
ProposerOf proposer(const std::string& text, int32_t stop) {
  return [=](std::vector<DraftTokens> drafts) {
    return make_proposer(parse_spec("--propose", text, forms(proposers())),
                         {drafts, stop, nullptr, nullptr, {}});
  };
}

TEST(DecodeRegistry, EveryProposerKeepsTheOutputOfEveryExactRule) {
  for (const auto& entry : proposers()) {
    for (const auto& rule : verifiers()) {
      const auto verifier = make_verifier(parse_spec("--verify", rule.name, forms(verifiers())));
      EXPECT_EQ(verifier->exact(), rule.exact) << rule.name;
      if (!rule.exact || verifier->samples()) continue;
      for (uint32_t seed = 1000; seed < 1040; ++seed) {
        SCOPED_TRACE(std::string(entry.name) + " seed " + std::to_string(seed));
        std::mt19937 rng(seed);
        ToyCase toy = random_case(rng);
        const ToyResult plain = run(toy, *verifier, ProposersOf());
        for (const auto& output : plain.output)
          toy.drafts.push_back(
              random_drafts(rng, output, plain.output[0], toy.lm.vocab, toy.lm.stop));
        const auto drafted = run(toy, *verifier, proposer(std::string(entry.name), toy.lm.stop));
        EXPECT_EQ(drafted.output, plain.output);
        EXPECT_EQ(drafted.cache, plain.cache);
      }
    }
  }
}

TEST(DecodeRegistry, EveryRuleYieldsAPathAndABonusToken) {
  const auto ops = make_aten_ops();
  for (const auto& rule : verifiers()) {
    const auto verifier = make_verifier(parse_spec("--verify", rule.name, forms(verifiers())));
    for (uint32_t seed = 0; seed < 50; ++seed) {
      std::mt19937 rng(seed);
      ToyCase toy = random_case(rng);
      const ToyLm lm(toy.lm);
      DraftTree tree(0);
      for (int k = 0; k < 6; ++k) {
        Ids path(rng() % 5);
        for (auto& id : path) id = int32_t(rng() % uint64_t(toy.lm.vocab));
        tree.insert(path, 0, 1, 30);
      }
      const auto cache = lm.prefill({1, 2});
      const SequenceInput job{&tree, cache.get(), nullptr};
      const RowStats rows = ops->row_stats(lm.forward({&job, 1}, {}), tree.token(), tree.parent());
      AllOutcomes first;  // takes the first outcome of each choice
      Distribution distribution(size_t(toy.lm.vocab), 1.0 / double(toy.lm.vocab - 1));
      distribution[1] = 0;
      const Draws draws{[&](int32_t) { return distribution; }, &first, {}};
      const Acceptance taken =
          verifier->verify(tree, {&rows, 0, verifier->samples() ? &draws : nullptr});
      int32_t at = 0;
      for (const int32_t row : taken.path) {
        EXPECT_EQ(tree.parent()[row], at) << rule.name << " seed " << seed;
        at = row;
      }
      if (!verifier->samples())
        EXPECT_EQ(taken.bonus, rows.argmax[at]) << rule.name << " seed " << seed;
      else
        EXPECT_NE(taken.bonus, 1) << rule.name << " seed " << seed << ": has no weight";
    }
  }
}

TEST(DecodeRegistry, ApproximateRulesProposeNoStopAndDependOnDraftsOnlyByTolerance) {
  int differ = 0;
  for (const auto& rule : verifiers()) {
    if (rule.exact) continue;
    const auto verifier = make_verifier(parse_spec("--verify", rule.name, forms(verifiers())));
    const auto strict = make_verifier(
        parse_spec("--verify", std::string(rule.name) + ":tau=1", forms(verifiers())));
    for (uint32_t seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE(std::string(rule.name) + " seed " + std::to_string(seed));
      std::mt19937 rng(seed);
      ToyCase toy = random_case(rng);
      toy.lm.spread = 0.5;  // an unsure model: tolerance acts
      const ToyResult plain = run(toy, *verifier, ProposersOf());
      for (size_t i = 0; i < plain.output.size(); ++i) {
        Ids any(60);
        for (auto& id : any) id = int32_t(rng() % uint64_t(toy.lm.vocab));
        toy.drafts.push_back({{"any", any}, {"truth", plain.output[i]}, {"stop", {toy.lm.stop}}});
      }
      EXPECT_EQ(run(toy, *strict, proposer("window:n=1", toy.lm.stop)).output, plain.output);
      const ToyResult tolerant = run(toy, *verifier, proposer("window:n=1", toy.lm.stop));
      differ += tolerant.output != plain.output;
      // The model never stops, so no draft may stop it.
      if (toy.lm.stop_rate > 0 || toy.limits.stop_ids.size() > 1 || toy.processor.on()) continue;
      for (const auto& output : tolerant.output)
        EXPECT_EQ(int64_t(output.size()), toy.limits.max_new_tokens);
    }
  }
  EXPECT_GT(differ, 0);
}

TEST(DecodeRegistry, EntriesDescribeThemselvesAndRefuseBadSettings) {
  const auto described = [](const auto& entry) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_NE(entry.make, nullptr) << entry.name;
  };
  for (const auto& entry : verifiers()) described(entry);
  for (const auto& entry : proposers()) described(entry);
  for (const auto& entry : selectors()) described(entry);
  for (const auto& entry : draft_proposers()) described(entry);
  for (const char* bad : {"tolerant:tau=0", "tolerant:tau=1.5", "prob-ratio:tau=x"})
    EXPECT_THROW(make_verifier(parse_spec("--verify", bad, forms(verifiers()))), Error) << bad;
  EXPECT_THROW(make_proposer(parse_spec("--propose", "window:n=0", forms(proposers())), {}), Error);
  EXPECT_EQ(make_selector(parse_spec("--prune", "off", forms(selectors())), {}), nullptr);
  EXPECT_THROW(make_verifier({"--verify", "none", {}}), Error);
}

}  // namespace
}  // namespace docspec
