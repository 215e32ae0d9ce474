#include "core/ops/ops.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>

#include "core/model/draft_tree.h"
#include "core/ops/attention_weights.h"
#include "tests/support/same_bits.h"

namespace docspec {
namespace {

TEST(RowStats, TellsTheLowestOfEqualsAndWhatComesSecond) {
  const auto ops = make_aten_ops();
  const at::Tensor logits = at::tensor({1.f, 5.f, 5.f, 2.f, 0.f, -1.f, -2.f, -3.f}).view({2, 4});
  const std::vector<int32_t> token{7, 3}, parent{-1, 0};
  const RowStats stats = ops->row_stats(logits, token, parent);
  EXPECT_EQ(stats.argmax, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(stats.top_logit, (std::vector<float>{5, 0}));
  EXPECT_EQ(stats.second_logit, (std::vector<float>{5, -1}));
  EXPECT_EQ(stats.own_logit, (std::vector<float>{0, 2}));
  EXPECT_NEAR(stats.logsumexp[1], std::log(1 + std::exp(-1.) + std::exp(-2.) + std::exp(-3.)),
              1e-6);
}

TEST(RowStats, GivesARowTheSameBitsAloneAndAmongOthers) {
  const auto ops = make_aten_ops();
  at::manual_seed(3);
  const at::Tensor logits = at::randn({5, 40000}) * 4;
  const std::vector<int32_t> token(5, 1), parent{-1, 0, 1, 2, 3};
  const RowStats all = ops->row_stats(logits, token, parent);
  for (int64_t row = 0; row < 5; ++row) {
    const RowStats one =
        ops->row_stats(logits.narrow(0, row, 1), std::vector<int32_t>{1}, std::vector<int32_t>{-1});
    EXPECT_EQ(one.logsumexp[0], all.logsumexp[size_t(row)]) << "row " << row;
    EXPECT_EQ(one.argmax[0], all.argmax[size_t(row)]) << "row " << row;
  }
}

TEST(RowStats, OnCpuEqualsTheReference) {
  const auto aten = make_aten_ops(), cpu = make_cpu_ops();
  at::manual_seed(5);
  for (int64_t vocab : {2, 15, 16, 17, 500, 2048, 40001}) {
    at::Tensor logits = (at::randn({9, vocab}) * 20).round_().mul_(0.5);  // many equals
    logits[3].fill_(7);
    std::vector<int32_t> token(9, int32_t(vocab - 1)), parent{-1, 0, 1, 2, 0, 4, -1, 6, 3};
    const RowStats want = aten->row_stats(logits, token, parent);
    const RowStats got = cpu->row_stats(logits, token, parent);
    EXPECT_EQ(got.argmax, want.argmax) << vocab;
    EXPECT_EQ(got.top_logit, want.top_logit) << vocab;
    EXPECT_EQ(got.second_logit, want.second_logit) << vocab;
    EXPECT_EQ(got.own_logit, want.own_logit) << vocab;
    for (size_t row = 0; row < 9; ++row)
      EXPECT_NEAR(got.logsumexp[row], want.logsumexp[row], 1e-5 * std::abs(want.logsumexp[row]))
          << vocab << " row " << row;
  }
}

TEST(TopK, BreaksTiesToTheLowestIndex) {
  const auto ops = make_aten_ops();
  const at::Tensor scores = at::tensor({1.f, 3.f, 3.f, 2.f, 3.f}).view({1, 5});
  EXPECT_TRUE(at::equal(ops->top_k(scores, 3), at::tensor({1, 2, 4}, at::kLong).view({1, 3})));
  EXPECT_EQ(ops->top_k(scores, 9).size(1), 5);
}

/// Random keys, values and queries of one job with `prefix` committed slots and a tree behind them.
struct Scene {
  Scene(int64_t prefix, size_t rows, unsigned seed, bool branching, int64_t dim,
        at::ScalarType dtype = at::kFloat)
      : prefix(prefix), tree(1), like(at::empty({0}, dtype)) {
    std::mt19937 rng(seed);
    while (tree.rows() < rows) {
      std::vector<int32_t> path(branching ? 1 + rng() % 6 : rows - 1);
      for (int32_t& token : path) token = int32_t(rng() % (branching ? 3 : 1000));
      tree.insert(path, 0, 1, rows);
    }
    at::manual_seed(seed);
    const int64_t capacity = (prefix + int64_t(rows)) / kAttentionBlock * kAttentionBlock + 256;
    keys = at::randn({2, capacity, dim});
    values = at::randn({2, capacity, dim});
    q = at::randn({int64_t(rows), 6, dim});
  }
  AttentionRows rows() const { return {prefix, tree.parent(), tree.depth()}; }
  at::Tensor attend(const Ops& ops, const AttentionRows& rows,
                    AttentionWeights* attention_weights = nullptr) const {
    const auto plan = ops.plan(std::span(&rows, 1), {16}, like);
    at::Tensor k = keys, v = values;
    return ops.attention(q, std::array{CacheRows{&k, &v}}, *plan, attention_weights);
  }
  /// Slots a row sees, in the order of its path.
  std::vector<int64_t> slots(int32_t row) const {
    std::vector<int64_t> out;
    for (int32_t r = row; r >= 0; r = tree.parent()[size_t(r)]) out.insert(out.begin(), prefix + r);
    for (int64_t i = prefix - 1; i >= 0; --i) out.insert(out.begin(), i);
    return out;
  }

  int64_t prefix;
  DraftTree tree;
  at::Tensor like, keys, values, q;
};

/// An implementation, a head size and the model's type: in bf16 far keys may be rounded.
struct Form {
  const char* name;
  std::unique_ptr<Ops> (*make)();
  int64_t dim;
  at::ScalarType dtype = at::kFloat;
  double tolerance = 1e-5;
};

class Attention : public testing::TestWithParam<Form> {};

TEST_P(Attention, EqualsSoftmaxOverThePathOfEachRow) {
  const auto& [name, make, dim, dtype, tolerance] = GetParam();
  const auto ops = make();
  for (const auto& [prefix, rows, branching] : {std::tuple{0, 1, false},
                                                {127, 3, false},
                                                {128, 20, true},
                                                {300, 40, true},
                                                {5, 200, false},
                                                {383, 30, true},
                                                {1000, 20, true},
                                                {100, 400, false}}) {
    const Scene scene(prefix, size_t(rows), unsigned(prefix + rows), branching, dim, dtype);
    const at::Tensor out = scene.attend(*ops, scene.rows());
    const bool some = rows > 200;  // of many rows
    for (int32_t row = some ? 7 : 0; row < rows; row += some ? 28 : 1) {
      const at::Tensor slots = at::tensor(scene.slots(row), at::kLong);
      const at::Tensor k = scene.keys.index_select(1, slots).repeat_interleave(3, 0);
      const at::Tensor v = scene.values.index_select(1, slots).repeat_interleave(3, 0);
      const at::Tensor wanted =
          at::scaled_dot_product_attention(scene.q[row].view({6, 1, dim}), k, v);
      EXPECT_LT((out[row] - wanted.view({6, dim})).abs().max().item<float>(), tolerance)
          << "prefix " << prefix << " row " << row;
    }
  }
}

TEST_P(Attention, GivesATreeRowTheBitsOfItsPathRunLinearly) {
  const auto& [name, make, dim, dtype, tolerance] = GetParam();
  const auto ops = make();
  for (unsigned seed = 0; seed < 14; ++seed) {  // from the eighth on about multiples of 64
    const int64_t prefix = seed < 8 ? 100 + 23 * int64_t(seed) : 316 + 63 * int64_t(seed - 8);
    const Scene scene(prefix, 24, seed, true, dim, dtype);
    const at::Tensor out = scene.attend(*ops, scene.rows());
    for (int32_t row = 0; row < 24; ++row) {
      // The row's path lies in the cache, the row itself is the only one of its pass.
      Scene alone(prefix, 1, seed, false, dim, dtype);
      const std::vector<int64_t> slots = scene.slots(row);
      alone.keys = scene.keys.clone();
      alone.values = scene.values.clone();
      const at::Tensor from = at::tensor(slots, at::kLong);
      const int64_t n = int64_t(slots.size());
      alone.keys.narrow(1, 0, n).copy_(scene.keys.index_select(1, from));
      alone.values.narrow(1, 0, n).copy_(scene.values.index_select(1, from));
      alone.prefix = n - 1;
      alone.q = scene.q.narrow(0, row, 1);
      EXPECT_TRUE(same_bits(alone.attend(*ops, alone.rows())[0], out[row]))
          << "seed " << seed << " row " << row;
    }
  }
}

TEST_P(Attention, OverAllSlotsByNameEqualsAttentionOverAllSlots) {
  const auto& [name, make, dim, dtype, tolerance] = GetParam();
  const auto ops = make();
  const Scene scene(690, 9, 5, true, dim, dtype);
  Slots slots(690);
  for (size_t i = 0; i < slots.size(); ++i) slots[i] = int64_t(i);
  AttentionRows named = scene.rows();
  named.slots = std::span(&slots, 1);
  EXPECT_TRUE(same_bits(scene.attend(*ops, named), scene.attend(*ops, scene.rows())));
}

TEST_P(Attention, OverSomeSlotsDoesNotSeeTheOthers) {
  const auto& [name, make, dim, dtype, tolerance] = GetParam();
  const auto ops = make();
  Scene scene(600, 9, 6, true, dim, dtype);
  Slots slots;
  for (int64_t i = 0; i < 600; ++i)
    if (i < 20 || i > 150) slots.push_back(i);
  AttentionRows some = scene.rows();
  some.slots = std::span(&slots, 1);
  const at::Tensor before = scene.attend(*ops, some);
  scene.keys.narrow(1, 20, 131).fill_(50);
  scene.values.narrow(1, 20, 131).fill_(-50);
  EXPECT_TRUE(same_bits(scene.attend(*ops, some), before));
}

TEST_P(Attention, OverSlotsOfEachRowIsThatOfTheRowAlone) {
  const auto ops = GetParam().make();
  const Scene scene(600, 9, 7, true, GetParam().dim, GetParam().dtype);
  std::vector<Slots> own(9);
  for (int64_t row = 0; row < 9; ++row)
    for (int64_t i = 0; i < 600; ++i)
      if ((i * 7 + row * 3) % (3 + row) != 0) own[size_t(row)].push_back(i);
  AttentionRows each = scene.rows();
  each.slots = own;
  const at::Tensor out = scene.attend(*ops, each);
  for (int64_t row = 0; row < 9; ++row) {
    AttentionRows common = scene.rows();
    common.slots = std::span(own).subspan(size_t(row), 1);
    EXPECT_TRUE(same_bits(scene.attend(*ops, common)[row], out[row])) << row;
  }
}

/// Rows that name all they see, rows of the pass too: what a tree's row has are the bits of the
/// same keys one after the other, alone in a pass.
TEST_P(Attention, OfRowsApartIsThatOfTheirKeysRunLinearly) {
  const auto& [name, make, dim, dtype, tolerance] = GetParam();
  const auto ops = make();
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Scene scene(90 + 75 * int64_t(seed), 24, seed, true, dim, dtype);
    const std::vector<int32_t> roots(24, -1), zeros(24, 0);
    std::vector<Slots> seen;
    for (int32_t row = 0; row < 24; ++row) {  // the first 50 and the last 30 of the path
      Slots path = scene.slots(row);
      path.pop_back();
      path.erase(path.begin() + 50, path.end() - 30);
      seen.push_back(std::move(path));
    }
    AttentionRows rows{scene.prefix, roots, zeros, seen};
    rows.apart = true;
    const at::Tensor out = scene.attend(*ops, rows);
    for (int32_t row = 0; row < 24; ++row) {
      Slots keys = seen[size_t(row)];
      Scene alone(int64_t(keys.size()), 1, seed, false, dim, dtype);
      keys.push_back(scene.prefix + row);
      const at::Tensor from = at::tensor(keys, at::kLong);
      alone.keys.narrow(1, 0, from.numel()).copy_(scene.keys.index_select(1, from));
      alone.values.narrow(1, 0, from.numel()).copy_(scene.values.index_select(1, from));
      alone.q = scene.q.narrow(0, row, 1);
      Slots own(keys.size() - 1);
      std::iota(own.begin(), own.end(), 0);
      AttentionRows one = alone.rows();
      one.slots = std::span(&own, 1);
      one.apart = true;
      EXPECT_TRUE(at::equal(alone.attend(*ops, one)[0], out[row])) << row;
      EXPECT_LT((alone.attend(*ops, alone.rows())[0] - out[row]).abs().max().item<float>(),
                tolerance);
    }
  }
}

TEST_P(Attention, SaysWhatItLooksAt) {
  const auto& [name, make, dim, dtype, tolerance] = GetParam();
  const auto ops = make();
  for (const auto& [rows, branching] : {std::pair{1, false}, {12, false}, {20, true}}) {
    const Scene scene(700, size_t(rows), 11, branching, dim, dtype);
    AttentionWeights attention_weights{{{40, 690}}, {}};
    EXPECT_TRUE(same_bits(scene.attend(*ops, scene.rows(), &attention_weights),
                          scene.attend(*ops, scene.rows())));
    for (int32_t row = 0; row < rows; ++row) {
      const at::Tensor k = scene.keys.index_select(1, at::tensor(scene.slots(row), at::kLong));
      const at::Tensor scores =
          at::bmm(scene.q[row].view({2, 3, dim}), k.transpose(1, 2)) / std::sqrt(double(dim));
      const at::Tensor wanted = scores.softmax(-1).mean(at::IntArrayRef{0, 1}).narrow(0, 40, 650);
      EXPECT_LT((attention_weights.weights[0][row] - wanted).abs().max().item<float>(),
                0.1 * tolerance)
          << rows << " rows, " << row;
    }
  }
}

/// The worked example of algorithms.md 2.6: two heads over four visual keys and one of text.
TEST(AttentionWeights, AreAveragedOverHeadsAndTiesGoToTheFirst) {
  constexpr int64_t kDim = 16;
  const std::vector<std::vector<float>> heads = {{.4f, .1f, 0, .1f, .4f}, {0, .3f, .1f, .1f, .5f}};
  at::Tensor keys = at::zeros({1, kAttentionBlock, kDim}), q = at::zeros({1, 2, kDim});
  for (int64_t head = 0; head < 2; ++head) {
    q[0][head][head] = std::sqrt(double(kDim));
    for (int64_t key = 0; key < 5; ++key)
      keys[0][key][head] = std::log(std::max(heads[size_t(head)][size_t(key)], 1e-30f));
  }
  for (int64_t head = 0; head < 2; ++head) keys[0][5][head] = -70;  // the row itself
  at::Tensor values = at::zeros_like(keys);
  const std::vector<int32_t> parent = {-1}, depth = {0};
  const AttentionRows rows{5, parent, depth};
  for (const auto make : {make_cpu_ops, make_aten_ops}) {
    const auto ops = make();
    const auto plan = ops->plan(std::span(&rows, 1), {}, q);
    AttentionWeights attention_weights{{{0, 4}}, {}};
    ops->attention(q, std::array{CacheRows{&keys, &values}}, *plan, &attention_weights);
    const at::Tensor& mean = attention_weights.weights[0];
    EXPECT_TRUE(at::allclose(mean[0], at::tensor({.2f, .2f, .05f, .1f}), 0, 1e-6)) << mean;
    EXPECT_NEAR(mean.sum().item<double>(), 0.55, 1e-6);
    const at::Tensor tied = at::tensor({.2f, .2f, .05f, .1f}).view({1, 4});
    EXPECT_TRUE(at::equal(ops->top_k(tied, 1), at::tensor({0}, at::kLong).view({1, 1})));
    EXPECT_TRUE(at::equal(ops->top_k(tied, 2), at::tensor({0, 1}, at::kLong).view({1, 2})));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ops, Attention,
    testing::Values(Form{"aten", make_aten_ops, 16}, Form{"aten128", make_aten_ops, 128},
                    Form{"cpu16", make_cpu_ops, 16}, Form{"cpu64", make_cpu_ops, 64},
                    Form{"cpu80", make_cpu_ops, 80}, Form{"cpu128", make_cpu_ops, 128},
                    Form{"cpu256", make_cpu_ops, 256},
                    Form{"bf16_256", make_cpu_ops, 256, at::kBFloat16, 2e-2},
                    Form{"without_a_kernel", make_cpu_ops, 24},
                    Form{"bf16_16", make_cpu_ops, 16, at::kBFloat16, 2e-2},
                    Form{"bf16_64", make_cpu_ops, 64, at::kBFloat16, 2e-2},
                    Form{"bf16_80", make_cpu_ops, 80, at::kBFloat16, 2e-2},
                    Form{"bf16_128", make_cpu_ops, 128, at::kBFloat16, 2e-2}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace docspec
