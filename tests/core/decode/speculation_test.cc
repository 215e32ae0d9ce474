// What the proposers reach on simulated OCR drafts (algorithms.md 1.9), and that all of them keep
// the output. tests/bench/simulated_ocr prints the whole table.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/decode/acceptance_model.h"
#include "tests/support/script_lm.h"

namespace docspec {
namespace {

DecodeStats passes(const std::string& propose, double rate, size_t max_nodes, bool beside = false) {
  DecodeStats stats;
  for (uint32_t seed = 0; seed < 2; ++seed) {
    std::mt19937 rng(seed);
    const SimulatedPage page = simulate_page(rng, rate, 700);
    const DraftTokens draft{"draft", page.draft};
    stats += run_script(ScriptLm(page.truth, SimulatedPage::kVocab), propose, {&draft, 1},
                        max_nodes, nullptr, beside);
  }
  return stats;
}

TEST(Speculation, NeedsFarFewerPassesThanThePapersRule) {
  const DecodeStats paper = passes("window:n=3", 0.05, 128);
  const DecodeStats ours = passes(automatic(proposers()), 0.05, 128);
  EXPECT_GT(double(paper.passes), 2.5 * double(ours.passes));
  EXPECT_GT(double(paper.empty_passes), 0.6 * double(paper.passes)) << "what 1.9 found";
  EXPECT_LT(double(ours.empty_passes), 0.3 * double(ours.passes));
}

TEST(Speculation, ProposersAskedBesideThePassesCostFewPasses) {
  const std::string all(automatic(proposers()));
  for (const double rate : {0.0, 0.05, 0.2}) {
    const DecodeStats asked = passes(all, rate, 24), beside = passes(all, rate, 24, true);
    EXPECT_LT(double(beside.passes), 1.15 * double(asked.passes)) << rate;
    EXPECT_GT(beside.ms("propose concurrently"), 0);
  }
}

TEST(Speculation, TheCursorAloneBeatsThePapersRuleAtEveryNoise) {
  for (const double rate : {0.02, 0.1, 0.2})
    EXPECT_GT(passes("window:n=3", rate, 16).passes, passes("cursor", rate, 16).passes) << rate;
}

TEST(Speculation, HopelessDraftsCostRowsButNoPasses) {
  std::mt19937 rng(7);
  const SimulatedPage page = simulate_page(rng, 0, 300), other = simulate_page(rng, 0, 300);
  const DraftTokens draft{"other", other.draft};
  const ScriptLm lm(page.truth, SimulatedPage::kVocab);
  EXPECT_LE(run_script(lm, automatic(proposers()), {&draft, 1}, 0).passes, 299);
}

TEST(AcceptanceModel, LearnsWhoIsRight) {
  AcceptanceModel acceptance_model;
  const size_t good = acceptance_model.arm("cursor", "text-layer"),
               bad = acceptance_model.arm("window", "ocr");
  EXPECT_EQ(acceptance_model.arm("cursor", "text-layer"), good);
  EXPECT_NE(good, bad);
  EXPECT_FLOAT_EQ(acceptance_model.acceptance_rate(good, 3),
                  acceptance_model.acceptance_rate(bad, 3));
  const std::vector<int32_t> right = {1, 2, 3}, wrong = {9, 2, 3};
  for (int i = 0; i < 1000; ++i) {
    acceptance_model.learn({.tokens = right, .arm = good}, right);
    acceptance_model.learn({.tokens = wrong, .arm = bad}, right);
  }
  EXPECT_GT(acceptance_model.acceptance_rate(good, 0), 0.95f);
  EXPECT_GT(acceptance_model.acceptance_rate(good, 1), 0.95f)
      << "the next one had one more that agreed";
  EXPECT_LT(acceptance_model.acceptance_rate(bad, 0), 0.05f);
  EXPECT_FLOAT_EQ(acceptance_model.acceptance_rate(bad, 1), 0.5f)
      << "behind a wrong token nothing is learnt";
}

TEST(GrowTree, FirstRowsAreTheBestAndMergedPathsShareThem) {
  AcceptanceModel acceptance_model;
  const std::vector<int32_t> a = {1, 2, 3, 4}, b = {1, 2, 9}, c = {5, 6};
  const Branch branches[] = {
      {.tokens = a, .arm = acceptance_model.arm("x", "y"), .match_length = 20},
      {.tokens = b, .arm = acceptance_model.arm("x", "y"), .match_length = 4},
      {.tokens = c, .arm = acceptance_model.arm("x", "y"), .match_length = 0}};
  DraftTree tree = build_tree(0, branches, acceptance_model, 100);
  EXPECT_EQ(tree.rows(), 8u);
  for (size_t row = 2; row < tree.rows(); ++row)
    EXPECT_GE(tree.score()[row - 1], tree.score()[row]);
  const std::vector<int32_t> first(tree.token().begin(), tree.token().begin() + 4);
  tree.truncate(4);
  EXPECT_EQ(tree.rows(), 4u);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), tree.token().begin()));
  EXPECT_EQ(tree.child(0, 5), -1);
  EXPECT_EQ(tree.child(0, 1), 1);
  tree.truncate(0);
  EXPECT_EQ(tree.rows(), 1u);
}

}  // namespace
}  // namespace docspec
