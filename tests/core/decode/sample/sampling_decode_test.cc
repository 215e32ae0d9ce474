#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/base/error.h"
#include "core/decode/registry.h"
#include "tests/support/decode_laws.h"

namespace docspec {
namespace {

std::unique_ptr<Verifier> rule_of(std::string_view name) {
  return make_verifier(parse_spec("--verify", name, forms(verifiers())));
}

TEST(SamplingDecode, FollowEmitsWhatPlainSamplingEmitsWhateverIsProposed) {
  const auto follow = rule_of("follow");
  int64_t accepted = 0;
  for (const auto& entry : proposers())
    for (uint32_t seed = 0; seed < 25; ++seed) {
      SCOPED_TRACE(std::string(entry.name) + " seed " + std::to_string(seed));
      std::mt19937 rng(seed);
      ToyCase toy = sampled_case(rng);
      const ToyResult plain = run(toy, *follow, ProposersOf());
      for (const auto& output : plain.output)
        toy.drafts.push_back(
            random_drafts(rng, output, plain.output[0], toy.lm.vocab, toy.lm.stop));
      const auto drafted = run(toy, *follow, proposers_of(std::string(entry.name), toy.lm.stop));
      EXPECT_EQ(drafted.output, plain.output);
      EXPECT_EQ(drafted.cache, plain.cache);
      toy.options.max_batch = 1;
      EXPECT_EQ(run(toy, *follow, proposers_of("history", toy.lm.stop)).output, plain.output);
      accepted += drafted.stats.accepted;
    }
  EXPECT_GT(accepted, 1000);
}

TEST(SamplingDecode, WithoutDraftsAllRulesEmitTheSame) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 rng(seed);
    const ToyCase toy = sampled_case(rng);
    const ToyResult follow = run(toy, *rule_of("follow"), ProposersOf());
    for (const char* name : {"token", "block", "restart"})
      EXPECT_EQ(run(toy, *rule_of(name), ProposersOf()).output, follow.output) << name << seed;
  }
}

/// Draws `drafts` continuations of `length` tokens from a law of its own.
class DrawingProposer : public Proposer {
 public:
  DrawingProposer(Distribution distribution, const Distribution& told, size_t drafts, size_t length,
                  uint64_t seed)
      : law_(std::move(distribution)),
        laws_(length, told),
        tokens_(drafts, Ids(length)),
        rng_(seed) {}
  std::vector<Candidate> propose(std::span<const int32_t>) override {
    std::vector<Candidate> out;
    std::discrete_distribution<int32_t> draw(law_.begin(), law_.end());
    for (Ids& draft : tokens_) {
      for (int32_t& id : draft) id = draw(rng_);
      out.push_back({draft, "drawn", 1, "drawn", 0, laws_});
    }
    return out;
  }
  void observe(const Observation&) override {}

 private:
  Distribution law_;
  std::vector<Distribution> laws_;
  std::vector<Ids> tokens_;
  std::mt19937_64 rng_;
};

const Distribution kDrawn = {.2, .5, .3};

/// Chi-square of the first four tokens over many seeds against the model's law, 80 cells.
double chi_square(const Verifier& rule, size_t drafts, const Distribution& told,
                  int64_t& accepted) {
  ToyCase toy;
  toy.lm = {.vocab = 3, .seed = 5, .spread = 1};
  toy.prompts = {{1, 2}};
  toy.drafts = {{}};
  toy.limits.max_new_tokens = 4;
  toy.options.cost.fixed = 4;  // two drafts of three do not fit: the second is cut
  constexpr int kRuns = 2000;
  std::map<Ids, double> count;
  for (int i = 0; i < kRuns; ++i) {
    toy.sampling = {1, 1, 0, 1000 + uint64_t(i)};
    const ToyResult result = run(toy, rule, [&](std::vector<DraftTokens>) {
      return std::make_unique<DrawingProposer>(kDrawn, told, drafts, 3, ~toy.sampling.seed);
    });
    ++count[result.output[0]];
    accepted += result.stats.accepted;
  }
  const ToyLm lm(toy.lm);
  std::map<Ids, double> distribution = {{{}, 1}};
  for (int depth = 0; depth < 4; ++depth) {
    std::map<Ids, double> longer;
    for (const auto& [text, p] : distribution) {
      Ids path = toy.prompts[0];
      path.insert(path.end(), text.begin(), text.end());
      const at::Tensor logits = lm.logits_after(path).contiguous();
      const Distribution next =
          sampling_distribution({logits.const_data_ptr<float>(), 3}, toy.sampling);
      for (int32_t v = 0; v < 3; ++v) {
        Ids more = text;
        more.push_back(v);
        longer[more] = p * next[size_t(v)];
      }
    }
    distribution = std::move(longer);
  }
  double chi = 0;
  for (const auto& [text, p] : distribution)
    chi += (count[text] - kRuns * p) * (count[text] - kRuns * p) / (kRuns * p);
  return chi;
}

TEST(SamplingDecode, DrawnDraftsKeepTheLawOfTheWholeDecode) {
  // 80 degrees of freedom: 124.8 is exceeded once in a thousand.
  for (const char* name : {"token", "block", "restart", "follow"})
    for (size_t drafts : {1u, 2u}) {
      int64_t accepted = 0;
      EXPECT_LT(chi_square(*rule_of(name), drafts, kDrawn, accepted), 124.8)
          << name << ' ' << drafts;
      EXPECT_GT(accepted, 1000) << name;
    }
}

TEST(SamplingDecode, AWrongDraftLawShowsInTheWholeDecode) {
  int64_t accepted = 0;
  EXPECT_GT(chi_square(*rule_of("token"), 1, {.5, .2, .3}, accepted), 200);
}

TEST(SamplingDecode, DrawnDraftsNeedTheirLaws) {
  ToyCase toy;
  toy.lm.vocab = 3;
  toy.prompts = {{1, 2}};
  toy.drafts = {{}};
  toy.limits.max_new_tokens = 4;
  toy.sampling.temperature = 1;
  const auto narrow = [](std::vector<DraftTokens>) {
    return std::make_unique<DrawingProposer>(kDrawn, Distribution{.5, .5}, 1, 3, 1);
  };
  EXPECT_THROW(run(toy, *rule_of("block"), ProposerOf(narrow)), Error);
}

TEST(SamplingDecode, ARuleThatSamplesNeedsLaws) {
  EXPECT_THROW(rule_of("follow")->verify(DraftTree(0), {}), Error);
}

}  // namespace
}  // namespace docspec
