// Every outcome of whole decodes with a draft model in front of the rules at temperature > 0: the
// code that runs, over several rounds, so that weights have been learnt and drafts are left over.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/decode/draft_model/model_proposer.h"
#include "core/decode/verify/sampling_verifier.h"
#include "tests/support/all_outcomes.h"
#include "tests/support/toy_draft.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

/// A law for each text, drawn on first use.
class RandomLaws {
 public:
  RandomLaws(uint32_t seed, int32_t vocab) : seed_(seed), vocab_(vocab) {}
  const Distribution& operator()(const Ids& path, size_t model) {
    Distribution& distribution = laws_[{model, path}];
    if (distribution.empty()) {
      std::seed_seq all = [&] {
        Ids parts = path;
        parts.push_back(int32_t(model) + 1000);
        parts.push_back(int32_t(seed_));
        return std::seed_seq(parts.begin(), parts.end());
      }();
      std::mt19937 rng(all);
      distribution = dirichlet(rng, vocab_, 1);
    }
    return distribution;
  }

 private:
  uint32_t seed_;
  int32_t vocab_;
  std::map<std::pair<size_t, Ids>, Distribution> laws_;
};

class EnumeratedDrafts : public DraftRandom {
 public:
  explicit EnumeratedDrafts(AllOutcomes& outcomes) : outcomes_(outcomes) {}
  int32_t draw(std::span<const double> weights, int64_t, size_t place, size_t) override {
    return outcomes_.draw(weights, place);
  }

 private:
  AllOutcomes& outcomes_;
};

struct Setting {
  int32_t vocab = 2;
  size_t length = 3;  ///< tokens whose law is compared
  ModelDraftOptions options = {.passes = 2};
  size_t variants = 1;
  size_t phrases = 0;
  bool tells_one_variant = false;  ///< the wrong q: of the first variant, not of the mixture
};

/// The target is model 0, variants of the drafter are models 1, 2, ...
struct Decode {
  const Verifier& rule;
  const Setting& setting;
  RandomLaws& distributions;
  AllOutcomes& rng;

  Ids run() {
    ModelDraftOptions options = setting.options;
    options.vocab_size = setting.vocab;
    options.rng = std::make_shared<EnumeratedDrafts>(rng);
    const std::vector<Ids> store = {{0, 1, 0, 0, 1, 1}, {1, 1, 0}};
    const auto proposer = make_model_proposer(
        std::make_unique<ToySource>(
            Ids(), setting.variants,
            [this](const Ids& path, size_t m) { return distributions(path, m + 1); }),
        setting.phrases
            ? std::make_unique<NgramDatastore>(nullptr, store, RetrievalOptions{1, setting.phrases})
            : nullptr,
        options, untold);
    Ids output = {0};
    while (output.size() < setting.length + 1) step(*proposer, output);
    output.resize(setting.length + 1);
    return output;
  }

  void step(Proposer& proposer, Ids& output) {
    DraftTree tree(output.back());
    std::vector<Chain> chains;
    for (const Candidate& draft : proposer.propose(output)) {
      Chain& chain = chains.emplace_back();
      chain.rows = tree.insert(draft.tokens, 0, 1, 1000);
      chain.distributions.assign(draft.distributions.begin(), draft.distributions.end());
      ASSERT_EQ(chain.distributions.size(), chain.rows.size());
      if (setting.tells_one_variant) tell_one_variant(chain, tree, output);
    }
    const auto target = [&](int32_t row) { return distributions(path(output, tree, row), 0); };
    const Draws draws{target, &rng, chains};
    TreeStats stats;
    stats.draws = &draws;
    const Acceptance taken = rule.verify(tree, stats);
    Ids emitted;
    for (const int32_t row : taken.path) emitted.push_back(tree.token()[size_t(row)]);
    emitted.push_back(taken.bonus);
    proposer.observe({tree, stats, taken.path, emitted, target});
    output.insert(output.end(), emitted.begin(), emitted.end());
  }

  void tell_one_variant(Chain& chain, const DraftTree& tree, const Ids& output) {
    for (size_t i = 0; i < chain.rows.size(); ++i)
      chain.distributions[i] = distributions(path(output, tree, i == 0 ? 0 : chain.rows[i - 1]), 1);
  }

  static Ids path(Ids output, const DraftTree& tree, int32_t row) {
    Ids own;
    for (; row > 0; row = tree.parent()[size_t(row)]) own.push_back(tree.token()[size_t(row)]);
    output.insert(output.end(), own.rbegin(), own.rend());
    return output;
  }
};

double variation(const Verifier& rule, const Setting& setting, uint32_t seed) {
  RandomLaws distributions(seed, setting.vocab);
  std::map<Ids, double> distribution;
  AllOutcomes rng;
  rng.each([&] {
    const Ids output = Decode{rule, setting, distributions, rng}.run();
    distribution[output] += rng.weight();
  });
  double out = 0, all = 0;
  for (const auto& [text, p] : distribution) {
    double expected = 1;
    for (size_t i = 1; i < text.size(); ++i)
      expected *=
          distributions({text.begin(), text.begin() + std::ptrdiff_t(i)}, 0)[size_t(text[i])];
    out += std::abs(p - expected) / 2;
    all += expected;
  }
  return out + (1 - all) / 2;  // texts that never came
}

struct Rule {
  const char* name;
  std::unique_ptr<Verifier> verifier;
};

std::vector<Rule> rules() {
  std::vector<Rule> out;
  out.push_back({"token", make_token_verifier()});
  out.push_back({"block", make_block_verifier()});
  out.push_back({"restart", make_restart_verifier()});
  return out;
}

TEST(ModelProposerLaw, DrawnChainsKeepTheTargetsLaw) {
  for (const Rule& rule : rules())
    for (uint32_t seed = 0; seed < 3; ++seed) {
      EXPECT_LT(variation(*rule.verifier, {}, seed), 1e-12) << rule.name << seed;
      EXPECT_LT(variation(*rule.verifier, {.vocab = 3, .length = 2}, seed), 1e-12) << rule.name;
    }
}

TEST(ModelProposerLaw, MixturesByLearntWeightsKeepItAndAWrongLawIsCaught) {
  for (const Rule& rule : rules()) {
    double wrong = 0;
    Setting setting{.variants = 3};
    setting.options.weights = {.rule = WeightRule::tabed, .steps = 4};
    EXPECT_LT(variation(*rule.verifier, setting, 5), 1e-12) << rule.name;
    setting.tells_one_variant = true;
    wrong = std::max(wrong, variation(*rule.verifier, setting, 5));
    EXPECT_GT(wrong, .01) << rule.name;
  }
}

TEST(ModelProposerLaw, PhrasesThatTheDrafterReadsKeepIt) {
  for (const Rule& rule : rules())
    for (uint32_t seed = 10; seed < 13; ++seed)
      for (const size_t passes : {1u, 2u})
        EXPECT_LT(
            variation(
                *rule.verifier,
                {.options = {.passes = passes}, .variants = 2, .phrases = passes == 1 ? 2u : 1u},
                seed),
            1e-12)
            << rule.name << seed << " passes " << passes;
}

TEST(ModelProposerLaw, SeveralDrawnChainsKeepIt) {
  for (const Rule& rule : rules())
    for (uint32_t seed = 30; seed < 32; ++seed)
      EXPECT_LT(variation(*rule.verifier,
                          {.length = 2, .options = {.passes = 2, .width = 2}, .variants = 2}, seed),
                1e-12)
          << rule.name << seed;
}

}  // namespace
}  // namespace docspec
