#include "core/decode/draft_model/model_proposer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <map>

#include "core/decode/draft_model/draft_gate.h"
#include "core/decode/registry.h"
#include "tests/support/decode_laws.h"
#include "tests/support/toy_draft.h"

namespace docspec {
namespace {

std::unique_ptr<Verifier> rule_of(std::string_view name) {
  return make_verifier(parse_spec("--verify", name, forms(verifiers())));
}

/// How a test drafts.
struct Drafting {
  ModelDraftOptions options;
  size_t variants = 1;
  bool like_target = false;  ///< the first variant is the target itself
  size_t phrases = 0;
  std::vector<Ids> earlier = {};
  std::function<void(int pass)> before = {};
  std::string others = "";  ///< "--propose" list
  std::shared_ptr<DraftGate> gate = {};
  std::function<void(std::string_view)> failed = untold;
};

/// Laws of a toy model; variants other than the first are other models.
ToySource::LawOf laws_by(const ToyCase& toy, bool like_target) {
  return [=](const Ids& path, size_t m) {
    ToyOptions options = toy.lm;
    options.seed += m + (like_target ? 0 : 1);
    const at::Tensor logits = ToyLm(options).logits_after(path).contiguous();
    return sampling_distribution({logits.const_data_ptr<float>(), size_t(logits.numel())},
                                 distributions_of(toy.sampling));
  };
}

ToyResult run_drafted(const ToyCase& toy, const Verifier& verifier, const Drafting& drafting) {
  ToyCase drafted = toy;
  drafted.drafts.resize(toy.prompts.size());
  size_t job = 0;
  return run(drafted, verifier, ProposersOf([&](std::vector<DraftTokens> drafts) {
               auto source = std::make_unique<ToySource>(toy.prompts[job], drafting.variants,
                                                         laws_by(toy, drafting.like_target));
               source->before = drafting.before;
               ModelDraftOptions options = drafting.options;
               options.vocab_size = toy.lm.vocab;
               options.stop_ids = toy.limits.stop_ids;
               options.gate = drafting.gate.get();
               if (toy.sampling.on() && verifier.reads_draft_distributions())
                 options.rng = std::make_shared<CounterDraftRandom>(toy.sampling.seed, job);
               std::unique_ptr<NgramDatastore> store;
               if (drafting.phrases > 0)
                 store = std::make_unique<NgramDatastore>(nullptr, drafting.earlier,
                                                          RetrievalOptions{1, drafting.phrases});
               std::vector<std::unique_ptr<Proposer>> out;
               if (!drafting.others.empty())
                 out = proposers_of(drafting.others, toy.lm.stop)(std::move(drafts));
               out.push_back(make_model_proposer(std::move(source), std::move(store), options,
                                                 drafting.failed));
               ++job;
               return out;
             }));
}

/// Any way of drafting, and texts that are the truth, or poison.
Drafting random_drafting(std::mt19937& rng, const ToyCase& toy, const ToyResult& plain) {
  Drafting out;
  out.options.passes = 1 + rng() % 6;
  out.options.width = 1 + rng() % 3;
  out.options.weights.rule = WeightRule(rng() % 2);
  out.options.weights.steps = 4;
  out.variants = 1 + rng() % 4;
  if (rng() % 2)  // a clock that makes drafts pay or not at random
    out.gate = std::make_shared<DraftGate>(
        [now = 0.0, rng = std::mt19937(rng())]() mutable { return now += double(rng() % 1000); });
  out.like_target = rng() % 2;
  out.phrases = rng() % 2 ? 0 : 1 + rng() % 9;
  for (const Ids& output : plain.output)
    for (const DraftTokens& draft :
         random_drafts(rng, output, plain.output[0], toy.lm.vocab, toy.lm.stop))
      out.earlier.push_back(draft.ids);
  if (rng() % 2) out.others = automatic(proposers());
  return out;
}

TEST(ModelProposer, NeverChangesGreedyOutputOrSampledOutputByFollow) {
  int64_t accepted = 0;
  for (const char* rule : {"exact", "follow"})
    for (uint32_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(std::string(rule) + " seed " + std::to_string(seed));
      std::mt19937 rng(seed);
      ToyCase toy = random_case(rng);
      if (std::string_view(rule) == "follow") toy.sampling = {1, .9, 0, seed};
      const ToyResult plain = run(toy, *rule_of(rule), ProposersOf());
      const ToyResult drafted = run_drafted(toy, *rule_of(rule), random_drafting(rng, toy, plain));
      EXPECT_EQ(drafted.output, plain.output);
      EXPECT_EQ(drafted.cache, plain.cache);
      accepted += drafted.stats.accepted;
    }
  EXPECT_GT(accepted, 500);
}

/// One job of 60 tokens with rows for all that is drafted.
ToyCase single(uint64_t seed) {
  ToyCase toy;
  toy.lm.seed = seed;
  toy.prompts = {{1, 2, 3}};
  toy.limits.max_new_tokens = 61;
  toy.options.cost.fixed = 200;
  return toy;
}

TEST(ModelProposer, TheTargetItselfAsDrafterIsAcceptedWhole) {
  for (const char* rule : {"exact", "token", "block", "restart"})
    for (size_t passes = 1; passes <= 9; ++passes) {
      ToyCase toy = single(passes);
      if (std::string_view(rule) != "exact") toy.sampling = {.8, .95, 0, passes};
      const ToyResult drafted =
          run_drafted(toy, *rule_of(rule), {.options = {.passes = passes}, .like_target = true});
      EXPECT_EQ(drafted.stats.passes, int64_t((60 + passes) / (passes + 1))) << rule << passes;
      EXPECT_EQ(drafted.output[0].size(), 61u);
    }
}

TEST(ModelProposer, AFailingModelCostsItsProposalsAndIsTold) {
  for (int last = 0; last < 12; last += 3) {
    const ToyCase toy = single(uint64_t(last));
    const ToyResult plain = run(toy, *rule_of("exact"), ProposersOf());
    std::vector<std::string> told;
    Drafting drafting{.options = {.passes = 2}, .like_target = true};
    drafting.before = [&](int pass) {
      if (pass == last) throw std::runtime_error("out of ideas");
    };
    drafting.failed = [&](std::string_view why) { told.emplace_back(why); };
    const ToyResult drafted = run_drafted(toy, *rule_of("exact"), drafting);
    EXPECT_EQ(drafted.output, plain.output);
    EXPECT_EQ(told, std::vector<std::string>{"out of ideas"});
    EXPECT_LT(drafted.stats.passes, plain.stats.passes + 1);
    EXPECT_EQ(drafted.stats.accepted > 0, last >= 3) << last;
  }
}

/// Says the n-th of `script` behind n - 1 tokens of output and draft; sure of it by .6.
std::unique_ptr<ToySource> scripted(const Ids& script, int64_t vocab) {
  return std::make_unique<ToySource>(Ids(), 1, [=](const Ids& path, size_t) {
    Distribution distribution(size_t(vocab), .4 / double(vocab - 1));
    distribution[size_t(script[path.size()])] = .6;
    return distribution;
  });
}

std::vector<Ids> proposals(Proposer& proposer, const Ids& output) {
  std::vector<Ids> out;
  for (const Candidate& candidate : proposer.propose(output))
    out.emplace_back(candidate.tokens.begin(), candidate.tokens.end());
  return out;
}

TEST(ModelProposer, APassOverAPhraseYieldsItsAgreedTokensAndOneMore) {
  // algorithms.md 4.6: the store has 1..7; the drafter says 4 5 9 10.
  const std::vector<Ids> store = {{1, 2, 3, 4, 5, 6, 7}};
  const Ids script = {1, 2, 3, 4, 5, 9, 10, 11, 12};
  const auto drafts = [&](size_t passes) {
    const auto proposer = make_model_proposer(
        scripted(script, 20),
        std::make_unique<NgramDatastore>(nullptr, store, RetrievalOptions{1, 4}),
        {.passes = passes, .vocab_size = 20}, untold);
    return proposals(*proposer, {1, 2, 3}).at(0);
  };
  EXPECT_EQ(drafts(1), (Ids{4, 5, 9}));
  EXPECT_EQ(drafts(2), (Ids{4, 5, 9, 10}));
  EXPECT_EQ(drafts(3), (Ids{4, 5, 9, 10, 11}));
}

TEST(ModelProposer, WidthGivesTheLikeliestOthersAtEachPlace) {
  const auto proposer = make_model_proposer(scripted({0, 5, 6, 7}, 9), nullptr,
                                            {.passes = 2, .width = 3, .vocab_size = 9}, untold);
  EXPECT_EQ(proposals(*proposer, {0}), (std::vector<Ids>{{5, 6}, {0}, {1}, {5, 0}, {5, 1}}));
}

TEST(ModelProposer, NothingIsDraftedBehindAStop) {
  const auto proposer =
      make_model_proposer(scripted({0, 5, 6, 7, 8}, 9), nullptr,
                          {.passes = 4, .vocab_size = 9, .stop_ids = {6}}, untold);
  EXPECT_EQ(proposals(*proposer, {0}), (std::vector<Ids>{{5, 6}}));
}

TEST(ModelProposer, WeightsGoToTheVariantThatIsRight) {
  // The second variant is the target; equal weights are right less often.
  const auto passes = [&](WeightRule rule) {
    int64_t out = 0;
    for (uint64_t seed = 0; seed < 10; ++seed) {
      ToyCase toy = single(seed);
      const auto source = [&] {
        return std::make_unique<ToySource>(toy.prompts[0], 2, [&](const Ids& path, size_t m) {
          return laws_by(toy, m == 1)(path, 0);
        });
      };
      toy.drafts.resize(1);
      ModelDraftOptions options{.vocab_size = toy.lm.vocab};
      options.weights.rule = rule;
      out += run(toy, *rule_of("exact"), ProposerOf([&](std::vector<DraftTokens>) {
                   return make_model_proposer(source(), nullptr, options, untold);
                 }))
                 .stats.passes;
    }
    return out;
  };
  const int64_t equal = passes(WeightRule::equal), tabed = passes(WeightRule::tabed);
  EXPECT_LT(double(tabed), .8 * double(equal));
  EXPECT_LT(tabed, 10 * 14);
}

/// Chi-square of the first four tokens over many seeds against the model's law, 80 degrees of
/// freedom: 124.8 is exceeded once in a thousand.
double chi_square(const Verifier& rule, const Drafting& drafting) {
  ToyCase toy;
  toy.lm = {.vocab = 3, .seed = 5, .spread = 1};
  toy.prompts = {{1, 2}};
  toy.limits.max_new_tokens = 4;
  toy.options.cost.fixed = 16;
  constexpr int kRuns = 2000;
  std::map<Ids, double> count, distribution = {{{}, 1}};
  for (int i = 0; i < kRuns; ++i) {
    toy.sampling = {1, 1, 0, 1000 + uint64_t(i)};
    ++count[run_drafted(toy, rule, drafting).output[0]];
  }
  for (int depth = 0; depth < 4; ++depth) {
    std::map<Ids, double> longer;
    for (const auto& [text, p] : distribution)
      for (int32_t v = 0; v < 3; ++v) {
        Ids path = toy.prompts[0], more = text;
        path.insert(path.end(), text.begin(), text.end());
        more.push_back(v);
        longer[more] = p * laws_by(toy, true)(path, 0)[size_t(v)];
      }
    distribution = std::move(longer);
  }
  double chi = 0;
  for (const auto& [text, p] : distribution)
    chi += (count[text] - kRuns * p) * (count[text] - kRuns * p) / (kRuns * p);
  return chi;
}

TEST(ModelProposer, DraftsDrawnByCountersKeepTheLawOfTheWholeDecode) {
  for (const char* rule : {"token", "block", "restart"}) {
    EXPECT_LT(chi_square(*rule_of(rule), {.options = {.passes = 3, .width = 2}, .variants = 2}),
              124.8)
        << rule;
  }
}

}  // namespace
}  // namespace docspec
