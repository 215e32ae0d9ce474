#include "core/decode/verify/verifier.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/decode/verify/exact_verifier.h"
#include "core/decode/verify/tolerant_verifier.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;
using Row = std::vector<std::pair<int32_t, double>>;  ///< token and probability

/// Rows of logits = log p over 16 tokens; what is not named shares the rest of the mass evenly.
at::Tensor logits_of(const std::vector<Row>& rows) {
  at::Tensor out = at::empty({int64_t(rows.size()), 16}, at::kFloat);
  for (size_t r = 0; r < rows.size(); ++r) {
    double rest = 1;
    for (const auto& [token, p] : rows[r]) rest -= p;
    out[int64_t(r)].fill_(std::log(rest / double(16 - rows[r].size())));
    for (const auto& [token, p] : rows[r]) out[int64_t(r)][token] = std::log(p);
  }
  return out;
}

Acceptance verify(const Verifier& verifier, const DraftTree& tree, const at::Tensor& logits) {
  const RowStats rows = make_aten_ops()->row_stats(logits, tree.token(), tree.parent());
  return verifier.verify(tree, {&rows, 0});
}

/// algorithms.md 1.7: pending 3, C = {4 5 6, 4 7 8, 9, 4 5 0}.
DraftTree example_tree() {
  DraftTree tree(3);
  for (const Ids& path : {Ids{4, 5, 6}, Ids{4, 7, 8}, Ids{9}, Ids{4, 5, 0}})
    tree.insert(path, 0, 1, 64);
  return tree;
}

at::Tensor example_logits() {
  std::vector<Row> rows(8);
  rows[0] = {{4, .6}, {9, .3}};
  rows[1] = {{11, .30}, {5, .22}, {7, .20}};
  rows[2] = {{13, .55}, {6, .42}, {0, .01}};
  return logits_of(rows);
}

TEST(Verifier, WorkedExampleOfTheTraversal) {
  const DraftTree tree = example_tree();
  const at::Tensor logits = example_logits();
  const Acceptance tolerant = verify(*make_tolerant_verifier(.75), tree, logits);
  EXPECT_EQ(tolerant.path, (Ids{1, 2}));  // "4 5"
  EXPECT_EQ(tolerant.bonus, 13);
  for (const auto& rule :
       {make_exact_verifier(), make_tolerant_verifier(1), make_prob_ratio_verifier(1)}) {
    const Acceptance exact = verify(*rule, tree, logits);
    EXPECT_EQ(exact.path, (Ids{1}));
    EXPECT_EQ(exact.bonus, 11);
    EXPECT_TRUE(rule->exact());
  }
  EXPECT_FALSE(make_tolerant_verifier(.75)->exact());
}

TEST(Verifier, ThresholdTableOfLogAndProbabilityRatios) {
  struct Line {
    double top, own;
    bool log_ratio, prob_ratio;
  };
  // algorithms.md 1.4, tau = 0.75.
  for (const Line& line :
       {Line{.30, .22, true, false}, Line{.55, .42, false, true}, Line{.50, .40, true, true},
        Line{.50, .39, false, true}, Line{.42, .30, false, false}, Line{.90, .08, false, false}}) {
    DraftTree tree(0);
    tree.insert(Ids{2}, 0, 1, 8);
    const at::Tensor logits = logits_of({{{1, line.top}, {2, line.own}}, {{3, .5}}});
    SCOPED_TRACE(line.top);
    EXPECT_EQ(verify(*make_tolerant_verifier(.75), tree, logits).path.size(),
              size_t(line.log_ratio));
    EXPECT_EQ(verify(*make_prob_ratio_verifier(.75), tree, logits).path.size(),
              size_t(line.prob_ratio));
    EXPECT_TRUE(verify(*make_exact_verifier(), tree, logits).path.empty());
  }
}

TEST(Verifier, ToleranceEndsWhereTheModelIsSure) {
  // With tau = .75 another token passes only if p(argmax) <= .5497: p^(4/3) = 1 - p.
  for (double p : {.5490, .5500}) {
    DraftTree tree(0);
    tree.insert(Ids{2}, 0, 1, 8);
    const at::Tensor logits = logits_of({{{1, p}, {2, (1 - p) * (1 - 1e-9)}}, {{3, .5}}});
    EXPECT_EQ(verify(*make_tolerant_verifier(.75), tree, logits).path.size(), p < .5497 ? 1u : 0u)
        << p;
  }
}

TEST(Verifier, IdsAreComparedBeforeLogsThatRoundToZero) {
  DraftTree tree(0);
  tree.insert(Ids{2}, 0, 1, 8);
  tree.insert(Ids{1}, 0, 1, 8);
  at::Tensor logits = at::full({3, 16}, -1000.f);
  logits[0][1] = 1000.f;  // p = 1 to the last bit
  logits[1][5] = 0;
  logits[2][5] = 0;
  for (const auto& rule : {make_tolerant_verifier(.75), make_prob_ratio_verifier(.75)}) {
    EXPECT_EQ(verify(*rule, tree, logits).path, (Ids{2}));
    DraftTree wrong(0);
    wrong.insert(Ids{2}, 0, 1, 8);
    EXPECT_TRUE(verify(*rule, wrong, logits.slice(0, 0, 2)).path.empty());
  }
}

TEST(Verifier, TiesGoToTheLowestId) {
  DraftTree tree(0);
  tree.insert(Ids{6}, 0, 1, 8);
  const at::Tensor tie = logits_of({{{4, .4}, {6, .4}}, {{3, .5}}});
  EXPECT_EQ(verify(*make_exact_verifier(), tree, tie).bonus, 4);
  EXPECT_TRUE(verify(*make_exact_verifier(), tree, tie).path.empty());
  EXPECT_TRUE(verify(*make_tolerant_verifier(1), tree, tie).path.empty());
  EXPECT_TRUE(verify(*make_prob_ratio_verifier(1), tree, tie).path.empty());
  DraftTree two(0);
  two.insert(Ids{9}, 0, 1, 8);
  two.insert(Ids{7}, 0, 1, 8);
  const at::Tensor best = logits_of({{{4, .3}, {7, .25}, {9, .25}}, {{3, .5}}, {{3, .5}}});
  EXPECT_EQ(verify(*make_tolerant_verifier(.75), two, best).path, (Ids{2}));  // token 7
}

TEST(Verifier, KeepListOfTheWorkedExampleDropsFiveSlots) {
  const Acceptance taken = verify(*make_tolerant_verifier(.75), example_tree(), example_logits());
  Ids kept = {0};
  kept.insert(kept.end(), taken.path.begin(), taken.path.end());
  EXPECT_EQ(kept, (Ids{0, 1, 2}));
  EXPECT_EQ(example_tree().rows() - kept.size(), 5u);
}

}  // namespace
}  // namespace docspec
