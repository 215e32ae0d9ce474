#include <gtest/gtest.h>

#include <cmath>

#include "core/decode/verify/sampling_verifier.h"
#include "tests/support/all_outcomes.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

struct Rule {
  const char* name;
  std::unique_ptr<Verifier> verifier;
};

std::vector<Rule> rules() {
  std::vector<Rule> out;
  out.push_back({"token", make_token_verifier()});
  out.push_back({"block", make_block_verifier()});
  out.push_back({"follow", make_follow_verifier()});
  out.push_back({"restart", make_restart_verifier()});
  return out;
}

/// What the published code does (algorithms.md 5.4): the whole draft passes with min(1, r_n), the
/// ratio without the cap, while what is owed elsewhere is the capped rule's.
class UncappedVerifier : public ChainVerifier {
  ChainResult verify_chains(const DraftTree& tree, std::span<const Chain> chains,
                            const Draws& draws) const override {
    double ratio = 1;
    for (size_t t = 0; t < chains[0].rows.size(); ++t)
      ratio *= draws.target(t == 0 ? 0 : chains[0].rows[t - 1])[token(tree, chains[0], t)] /
               draft_probability(tree, chains[0], t);
    class WholeDraft : public RandomSource {
     public:
      WholeDraft(RandomSource& rng, size_t whole, double ratio)
          : rng_(rng), whole_(whole), ratio_(ratio) {}
      bool accept(double probability, size_t place, size_t attempt) override {
        return rng_.accept(place == whole_ ? std::min(1.0, ratio_) : probability, place, attempt);
      }
      int32_t draw(std::span<const double> weights, size_t place) override {
        return rng_.draw(weights, place);
      }

     private:
      RandomSource& rng_;
      size_t whole_;
      double ratio_;
    } rng(*draws.rng, chains[0].rows.size(), ratio);
    Draws uncapped = draws;
    uncapped.rng = &rng;
    return chain_result_of(chains[0], cut_block(tree, chains[0], uncapped, 0, draws.target(0), 0));
  }
  static size_t token(const DraftTree& tree, const Chain& chain, size_t t) {
    return size_t(tree.token()[size_t(chain.rows[t])]);
  }
};

/// Expected accepted tokens of the rule with joint masses and a target call for each resampled
/// token (algorithms.md 5.3, naive): what no single-call rule exceeds.
double naive_accepted(const ToyPass& pass) {
  double out = 0;
  const auto walk = [&](auto& self, const Ids& x, double p, double q,
                        std::vector<double> coin) -> void {
    if (x.size() == pass.length) {
      coin.push_back(std::min(1.0, p / q));
      double alive = q;
      for (size_t t = x.size() + 1; t-- > 0;) {
        out += alive * coin[t] * double(t);
        alive *= 1 - coin[t];
      }
      return;
    }
    double above = 0, below = 0;
    for (size_t v = 0; v < size_t(pass.vocab); ++v) {
      const double d = p * pass.p.at(x)[v] - q * pass.q.at(x)[v];
      (d > 0 ? above : below) += std::abs(d);
    }
    coin.push_back(x.empty() ? 1 : above / std::max(above, below));
    for (int32_t v = 0; v < pass.vocab; ++v) {
      Ids next = x;
      next.push_back(v);
      self(self, next, p * pass.p.at(x)[size_t(v)], q * pass.q.at(x)[size_t(v)], coin);
    }
  };
  walk(walk, {}, 1, 1, {});
  return out;
}

Distribution one_hot(size_t vocab, size_t at) {
  Distribution distribution(vocab, 0);
  distribution[at % vocab] = 1;
  return distribution;
}

Distribution with_zero(std::mt19937& rng, int32_t vocab) {
  Distribution distribution = dirichlet(rng, vocab, 1);
  const size_t at = rng() % distribution.size();
  const double rest = 1 - distribution[at];
  for (double& p : distribution) p /= rest;
  distribution[at] = 0;
  return distribution;
}

/// Kinds of target and draft laws that the issue names.
enum class Kind {
  smooth,
  spiky,
  equal,
  disjoint,
  zeros,
  one_hot_draft,
  one_hot_target,
  both,
  count
};

ToyPass random_pass(Kind kind, int32_t vocab, size_t length, size_t drafts, uint32_t seed) {
  std::mt19937 rng(seed);
  ToyPass pass{vocab, length, drafts, {}, {}, {}};
  const auto random = [&](const Ids&) {
    return dirichlet(rng, vocab, kind == Kind::spiky ? .3 : 1);
  };
  const auto zero = [&](const Ids&) { return with_zero(rng, vocab); };
  const auto hot = [&](const Ids&) { return one_hot(size_t(vocab), rng()); };
  pass.p = table_of(vocab, length + 1, random);
  pass.q = table_of(vocab, length, random);
  if (kind == Kind::equal) pass.q = pass.p;
  if (kind == Kind::zeros) {
    pass.p = table_of(vocab, length + 1, zero);
    pass.q = table_of(vocab, length, zero);
  }
  if (kind == Kind::disjoint) {
    pass.p = table_of(vocab, length + 1, zero);
    pass.q = table_of(vocab, length, [&](const Ids& x) {
      Distribution distribution = pass.p.at(x);
      for (double& w : distribution) w = w == 0;
      return distribution;
    });
  }
  if (kind == Kind::one_hot_draft || kind == Kind::both) pass.q = table_of(vocab, length, hot);
  if (kind == Kind::one_hot_target || kind == Kind::both) pass.p = table_of(vocab, length + 1, hot);
  pass.told = pass.q;
  return pass;
}

TEST(SamplingRules, EveryRuleEmitsTheTargetsLaw) {
  for (const Rule& rule : rules())
    for (int kind = 0; kind < int(Kind::count); ++kind)
      for (const auto& [vocab, length] :
           {std::pair{2, 1}, {2, 2}, {3, 2}, {2, 3}, {3, 3}, {2, 4}, {3, 4}})
        for (uint32_t seed = 0; seed < 4; ++seed) {
          const ToyPass pass = random_pass(Kind(kind), vocab, size_t(length), 1, seed);
          EXPECT_LT(distribution_of(*rule.verifier, pass).total_variation, 1e-12)
              << rule.name << " kind " << kind << " vocabulary " << vocab << " length " << length
              << " seed " << seed;
        }
}

TEST(SamplingRules, SeveralDrawnDraftsKeepTheLaw) {
  const auto restart = make_restart_verifier(), block = make_block_verifier();
  double gain = 0;
  for (int kind = 0; kind < int(Kind::count); ++kind)
    for (const auto& [vocab, length, drafts] :
         {std::tuple{2, 2, 2}, {3, 2, 2}, {2, 3, 2}, {2, 2, 3}, {2, 4, 2}})
      for (uint32_t seed = 0; seed < 4; ++seed) {
        const ToyPass pass = random_pass(Kind(kind), vocab, size_t(length), size_t(drafts), seed);
        const ToyLaw several = distribution_of(*restart, pass), one = distribution_of(*block, pass);
        EXPECT_LT(several.total_variation, 1e-12)
            << "kind " << kind << " vocabulary " << vocab << " length " << length << " drafts "
            << drafts << " seed " << seed;
        EXPECT_GE(several.accepted, one.accepted - 1e-12);
        gain += several.accepted - one.accepted;
      }
  EXPECT_GT(gain, 1);
}

TEST(SamplingRules, TheDraftLawToldMustBeTheMixtureThatWasDrawn) {
  // Two variants of a drafter, weights that depend on what was verified before: fixed in a block.
  for (const Rule& rule : rules()) {
    double caught = 0;
    for (uint32_t seed = 0; seed < 10; ++seed) {
      ToyPass pass = random_pass(Kind::smooth, 3, 2, 1, seed);
      const Table image = pass.q, text = random_pass(Kind::smooth, 3, 2, 1, seed + 100).q;
      const double weight = .1 * double(1 + seed % 9);
      pass.q = table_of(3, 2, [&](const Ids& x) {
        Distribution mixed = image.at(x);
        for (size_t v = 0; v < mixed.size(); ++v)
          mixed[v] = weight * mixed[v] + (1 - weight) * text.at(x)[v];
        return mixed;
      });
      pass.told = pass.q;
      EXPECT_LT(distribution_of(*rule.verifier, pass).total_variation, 1e-12)
          << rule.name << " " << seed;
      pass.told = image;
      caught = std::max(caught, distribution_of(*rule.verifier, pass).total_variation);
    }
    if (std::string_view(rule.name) == "follow")
      EXPECT_LT(caught, 1e-12);  // does not look at the draft's law
    else
      EXPECT_GT(caught, .01) << rule.name;
  }
}

TEST(SamplingRules, RetrievedPhrasesInFrontOfDrawnTokensKeepTheLaw) {
  for (const Rule& rule : rules())
    for (size_t retrieved = 1; retrieved <= 3; ++retrieved)
      for (size_t drafts = 1; drafts <= 2; ++drafts)
        for (uint32_t seed = 0; seed < 5; ++seed) {
          ToyPass pass = random_pass(Kind::smooth, 2, 3, drafts, seed);
          for (auto& [x, distribution] : pass.q)
            if (x.size() < retrieved) {
              distribution = one_hot(2, seed + x.size());
              pass.told[x] = {};  // not drawn
            }
          EXPECT_LT(distribution_of(*rule.verifier, pass).total_variation, 1e-12)
              << rule.name << " retrieved " << retrieved << " seed " << seed;
        }
}

TEST(SamplingRules, TheUncappedRuleOfThePublishedCodeIsCaught) {
  // algorithms.md 5.5: the counter-example.
  ToyPass pass{2, 2, 1, {}, {}, {}};
  const Distribution half = {.5, .5};
  pass.p = table_of(2, 3, [&](const Ids&) { return half; });
  pass.q = table_of(2, 2, [&](const Ids&) { return half; });
  pass.p[{}] = {.8, .2};
  pass.p[{0}] = {.3, .7};
  pass.q[{}] = {.4, .6};
  pass.q[{0}] = {.6, .4};
  pass.told = pass.q;
  const ToyLaw token = distribution_of(*make_token_verifier(), pass);
  const ToyLaw block = distribution_of(*make_block_verifier(), pass);
  const ToyLaw uncapped = distribution_of(UncappedVerifier(), pass);
  EXPECT_LT(token.total_variation, 1e-12);
  EXPECT_LT(block.total_variation, 1e-12);
  EXPECT_NEAR(uncapped.total_variation, .12, 1e-12);
  EXPECT_NEAR(token.accepted, 1.08, 1e-12);
  EXPECT_NEAR(block.accepted, 1.08, 1e-12);
  EXPECT_NEAR(uncapped.accepted, 1.20, 1e-12);
}

TEST(SamplingRules, ExpectedLengthsOfTheIndependentExample) {
  struct Line {
    size_t length;
    double token, block, naive, uncapped_variation;
  };
  // algorithms.md 5.5; checks/ex2.py.
  for (const Line& line :
       {Line{2, 10. / 9, 11. / 9, 4. / 3, 1. / 9}, Line{3, 1.407407, 1.666667, 1.851852, .061728},
        Line{4, 1.604938, 2.049383, 2.370370, .119342}}) {
    ToyPass pass{2, line.length, 1, {}, {}, {}};
    pass.p = table_of(2, line.length + 1, [](const Ids&) { return Distribution{1. / 3, 2. / 3}; });
    pass.q = table_of(2, line.length, [](const Ids&) { return Distribution{2. / 3, 1. / 3}; });
    pass.told = pass.q;
    EXPECT_NEAR(distribution_of(*make_token_verifier(), pass).accepted, line.token, 1e-6);
    EXPECT_NEAR(distribution_of(*make_block_verifier(), pass).accepted, line.block, 1e-6);
    EXPECT_NEAR(naive_accepted(pass), line.naive, 1e-6);
    EXPECT_NEAR(distribution_of(UncappedVerifier(), pass).total_variation, line.uncapped_variation,
                1e-6);
  }
}

TEST(SamplingRules, BlockAcceptsNoLessThanTokenAndNoMoreThanNaive) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const ToyPass pass = random_pass(Kind::spiky, 2, 3, 1, seed);
    const double token = distribution_of(*make_token_verifier(), pass).accepted;
    const double block = distribution_of(*make_block_verifier(), pass).accepted;
    EXPECT_GE(block, token - 1e-12) << seed;
    EXPECT_LE(block, naive_accepted(pass) + 1e-12) << seed;
  }
}

TEST(SamplingRules, DraftsThatNobodyDrewAreAcceptedAlikeByAllRules) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const ToyPass pass = random_pass(Kind::one_hot_draft, 3, 3, 1, seed);
    const double follow = distribution_of(*make_follow_verifier(), pass).accepted;
    EXPECT_NEAR(distribution_of(*make_token_verifier(), pass).accepted, follow, 1e-12) << seed;
    EXPECT_NEAR(distribution_of(*make_block_verifier(), pass).accepted, follow, 1e-12) << seed;
  }
}

/// The draft of the published example: token 0 is the draft's, token 1 all others together.
struct Gsm8k {
  const std::vector<double> p = {.7156, 1, 1, 1, 0, 0, 0, 1, 0, .4968};
  const std::vector<double> q = {.8771, .79, .6514, .2592, .6773, .149, .5775, 1, .4611, .363};
  DraftTree tree{0};
  Chain chain;
  AllOutcomes rng;
  Draws draws;
  Gsm8k() {
    chain.rows = tree.insert(Ids(10, 0), 0, 1, 100);
    for (const double own : q) chain.distributions.push_back({own, 1 - own});
    draws.target = [this](int32_t row) {
      const double own = size_t(row) < p.size() ? p[size_t(row)] : .5;
      return Distribution{own, 1 - own};
    };
    draws.rng = &rng;
    draws.chains = {&chain, 1};
  }
  std::vector<double> accepted(const Verifier& rule) {
    std::vector<double> out(11, 0);
    TreeStats stats;
    stats.draws = &draws;
    rng.each([&] {
      const size_t n = rule.verify(tree, stats).path.size();
      out[n] += rng.weight();
    });
    return out;
  }
};

TEST(SamplingRules, TheGsm8kExampleStopsAtFour) {
  Gsm8k example;
  const std::vector<double> token = example.accepted(*make_token_verifier());
  double expected = 0;
  for (size_t n = 0; n < token.size(); ++n) expected += double(n) * token[n];
  EXPECT_NEAR(expected, 3.2635, 5e-5);
  const std::vector<double> block = example.accepted(*make_block_verifier());
  EXPECT_DOUBLE_EQ(block[4], 1);
}

TEST(SamplingRules, TheGsm8kCapsAndCoins) {
  Gsm8k example;
  // After one token c = .8159, and what stays above q is .0259 of .2100: the coin is .1231.
  const double c1 = example.p[0] / example.q[0];
  EXPECT_NEAR(c1, .8159, 5e-5);
  const double above = sum_of(positive_part({1, 0}, c1, example.tree, example.chain, 1));
  EXPECT_NEAR(above, .0259, 5e-5);
  EXPECT_NEAR(above + 1 - c1, .2100, 5e-5);
  EXPECT_NEAR(above / (above + 1 - c1), .1231, 2e-4);  // of rounded p and q: .1232
  double c = 1;
  const std::vector<double> caps = {.8159, 1, 1, 1, 0, 0, 0, 0, 0, 0};
  for (size_t t = 0; t < caps.size(); ++t) {
    c = std::min(1.0, c * example.p[t] / example.q[t]);
    EXPECT_NEAR(c, caps[t], 5e-5) << t;
  }
}

}  // namespace
}  // namespace docspec
