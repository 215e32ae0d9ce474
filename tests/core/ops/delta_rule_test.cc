#include "core/ops/delta_rule.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace docspec {
namespace {

/// Sizes of heads that the kernels take, and some that only the reference does.
const DeltaShape kShapes[] = {{4, 2, 16, 32, 4, 16}, {2, 2, 128, 128, 4, 32}, {6, 2, 8, 12, 3, 8}};

class DeltaRule : public testing::TestWithParam<int> {
 protected:
  DeltaRule() : shape(kShapes[GetParam()]) {
    at::manual_seed(5);
    weights.taps = at::randn({shape.taps, shape.channels()});
    weights.rate = -(at::randn({shape.heads}) * 2 - 3).exp();
    weights.time_bias = at::randn({shape.heads});
  }

  struct Inputs {
    at::Tensor x, gates;  // [rows, channels], [rows, 2 * heads]
    Inputs rows(int64_t first, int64_t n) const {
      return {x.narrow(0, first, n), gates.narrow(0, first, n)};
    }
    Inputs at(const std::vector<int64_t>& index) const {
      return {x.index_select(0, at::tensor(index)), gates.index_select(0, at::tensor(index))};
    }
  };
  Inputs random_inputs(int64_t rows) const {
    return {at::randn({rows, shape.channels()}), at::randn({rows, 2 * shape.heads})};
  }

  /// A sequence's rows in one layer, and how many are committed.
  struct Sequence {
    DeltaRows rows;
    int64_t length = 0;
  };
  Sequence empty() const { return {empty_delta_rows(shape, weights.taps), 0}; }
  at::Tensor pass(Sequence& of, const Inputs& in, const std::vector<int32_t>& parent) const {
    const DeltaPlan plan = plan_delta(of.length, shape.chunk, parent);
    return delta_rule(convolve(in.x, of.rows, plan, weights), in.gates, of.rows, plan, shape,
                      weights);
  }
  void commit(Sequence& of, const std::vector<int32_t>& path) const {
    commit_delta(of.rows, of.length % shape.chunk, path, shape);
    of.length += int64_t(path.size());
  }
  static std::vector<int32_t> chain(int64_t rows) {
    std::vector<int32_t> parent(static_cast<size_t>(rows));
    std::iota(parent.begin(), parent.end(), -1);
    return parent;
  }
  at::Tensor extend(Sequence& of, const Inputs& in) const {
    const at::Tensor out = pass(of, in, chain(in.x.size(0)));
    std::vector<int32_t> all(size_t(in.x.size(0)));
    std::iota(all.begin(), all.end(), 0);
    commit(of, all);
    return out;
  }
  /// Row by row, one row a pass.
  at::Tensor step_by_step(Sequence& of, const Inputs& in) const {
    std::vector<at::Tensor> out;
    for (int64_t i = 0; i < in.x.size(0); ++i) out.push_back(extend(of, in.rows(i, 1)));
    return at::cat(out);
  }
  static bool same_bits(const at::Tensor& a, const at::Tensor& b) {
    return at::equal(a.contiguous().view(at::kInt), b.contiguous().view(at::kInt));
  }

  const DeltaShape shape;
  DeltaWeights weights;
};

INSTANTIATE_TEST_SUITE_P(Sizes, DeltaRule, testing::Values(0, 1, 2));

/// The recurrence as it is written, in f64: one state, moved on by each row.
at::Tensor plain_recurrence(const at::Tensor& x, const at::Tensor& gates, const DeltaShape& shape,
                            const DeltaWeights& weights) {
  const int64_t n = x.size(0), group = shape.heads / shape.key_heads;
  const at::Tensor padded = at::cat({at::zeros({shape.taps - 1, x.size(1)}), x}).to(at::kDouble);
  at::Tensor seen = at::zeros({n, x.size(1)}, at::kDouble);
  for (int64_t t = 0; t < shape.taps; ++t) seen += padded.narrow(0, t, n) * weights.taps[t];
  seen = at::silu(seen);
  const auto unit = [](const at::Tensor& v) {
    return v / (v.square().sum(-1, true) + 1e-6).sqrt();
  };
  const int64_t keys = shape.key_heads * shape.key_dim;
  const at::Tensor wide = gates.to(at::kDouble);
  at::Tensor state = at::zeros({shape.heads, shape.key_dim, shape.value_dim}, at::kDouble);
  std::vector<at::Tensor> out;
  for (int64_t i = 0; i < n; ++i) {
    const auto heads = [&](int64_t first, int64_t count, int64_t dim) {
      return seen[i].narrow(0, first, count * dim).view({count, dim});
    };
    const auto per_head = [&](const at::Tensor& v) { return v.repeat_interleave(group, 0); };
    const at::Tensor q =
        per_head(unit(heads(0, shape.key_heads, shape.key_dim))) / std::sqrt(double(shape.key_dim));
    const at::Tensor k = per_head(unit(heads(keys, shape.key_heads, shape.key_dim)));
    const at::Tensor v = heads(2 * keys, shape.heads, shape.value_dim);
    const at::Tensor beta = wide[i].narrow(0, 0, shape.heads).sigmoid();
    const at::Tensor decay =
        at::softplus(wide[i].narrow(0, shape.heads, shape.heads) + weights.time_bias) *
        weights.rate;
    state = state * decay.exp().view({-1, 1, 1});
    const at::Tensor update = (v - (state * k.unsqueeze(2)).sum(1)) * beta.unsqueeze(1);
    state = state + k.unsqueeze(2) * update.unsqueeze(1);
    out.push_back((state * q.unsqueeze(2)).sum(1).flatten());
  }
  return at::stack(out);
}

TEST_P(DeltaRule, IsTheRecurrenceAcrossManyBoundaries) {
  const Inputs in = random_inputs(5 * shape.chunk + 3);
  Sequence sequence = empty();
  const at::Tensor found = extend(sequence, in);
  const at::Tensor wanted = plain_recurrence(in.x, in.gates, shape, weights);
  EXPECT_LT((found - wanted).abs().max().item<double>(), 2e-5);
  EXPECT_GT(wanted.abs().max().item<double>(), 0.1);
}

TEST_P(DeltaRule, KernelsEqualTheReference) {
  const Inputs in = random_inputs(40);
  std::mt19937 rng(3);
  std::vector<int32_t> parent{-1};
  for (int32_t row = 1; row < 40; ++row)
    parent.push_back(int32_t(rng() % 3 ? row - 1 : rng() % row));
  Sequence a = empty(), b = empty();
  extend(a, random_inputs(11));
  extend(b, random_inputs(11));  // other numbers: what follows must not depend on these alone
  b.rows.state.copy_(a.rows.state);
  for (const auto part :
       {&DeltaRows::keys, &DeltaRows::updates, &DeltaRows::decays, &DeltaRows::inputs})
    (b.rows.*part).copy_(a.rows.*part);
  const at::Tensor found = pass(a, in, parent);
  const DeltaPlan plan = plan_delta(b.length, shape.chunk, parent);
  for (at::Tensor* rows : {&b.rows.keys, &b.rows.updates, &b.rows.decays}) {  // room for the pass
    auto sizes = rows->sizes().vec();
    sizes[1] = 40;
    *rows = at::cat({*rows, at::zeros(sizes)}, 1);
  }
  const at::Tensor wanted = aten_delta_rule(aten_convolve(in.x, b.rows, plan, weights),
                                            delta_gates(in.gates, weights), b.rows, plan, shape);
  EXPECT_LT((found - wanted).abs().max().item<double>(), 2e-5);
}

TEST_P(DeltaRule, ARowHasTheSameBitsAloneInAPromptAndInATree) {
  std::mt19937 rng(11);
  for (int round = 0; round < 6; ++round) {
    const int64_t before = int64_t(rng() % uint64_t(2 * shape.chunk + 2));
    const int64_t rows = 3 * shape.chunk;
    const Inputs start = random_inputs(before + 1), in = random_inputs(rows);
    std::vector<int32_t> parent{-1};  // deep, so that paths cross boundaries, and branching
    for (int32_t row = 1; row < rows; ++row)
      parent.push_back(int32_t(rng() % 5 ? row - 1 : rng() % uint64_t(row)));
    Sequence tree = empty();
    extend(tree, start);
    const at::Tensor found = pass(tree, in, parent);
    for (const int32_t leaf : {int32_t(rows - 1), int32_t(rng() % uint64_t(rows))}) {
      std::vector<int32_t> path;
      for (int32_t row = leaf; row >= 0; row = parent[size_t(row)]) path.push_back(row);
      std::reverse(path.begin(), path.end());
      const std::vector<int64_t> index(path.begin(), path.end());
      const Inputs own = in.at(index);
      Sequence steps = empty(), prompt = empty();
      step_by_step(steps, start);
      const at::Tensor alone = step_by_step(steps, own);
      const at::Tensor whole = extend(prompt, {at::cat({start.x, own.x}),  //
                                               at::cat({start.gates, own.gates})});
      EXPECT_TRUE(same_bits(alone, found.index_select(0, at::tensor(index))));
      EXPECT_TRUE(same_bits(alone, whole.narrow(0, start.x.size(0), own.x.size(0))));
      // The committed path is what the steps left.
      Sequence kept = empty();
      extend(kept, start);
      pass(kept, in, parent);
      commit(kept, path);
      const Inputs next = random_inputs(shape.chunk + 1);
      EXPECT_TRUE(same_bits(extend(kept, next), extend(steps, next)));
    }
  }
}

TEST_P(DeltaRule, KeepsTheSameNumberOfBytesHoweverLongTheText) {
  Sequence sequence = empty();
  for (const int64_t rows : {1, 300, 7, 64, 1, 500}) {
    extend(sequence, random_inputs(rows));
    const DeltaRows& kept = sequence.rows;
    EXPECT_EQ(int64_t(kept.state.nbytes() + kept.keys.nbytes() + kept.updates.nbytes() +
                      kept.decays.nbytes() + kept.inputs.nbytes()),
              delta_bytes(shape))
        << "after " << sequence.length;
    EXPECT_FALSE(kept.pass.defined());
  }
}

TEST_P(DeltaRule, AnEmptyCommitForgetsThePass) {
  const Inputs start = random_inputs(shape.chunk - 1), dropped = random_inputs(9),
               next = random_inputs(5);
  Sequence a = empty(), b = empty();
  extend(a, start);
  extend(b, start);
  pass(a, dropped, chain(9));
  commit(a, {});
  EXPECT_TRUE(same_bits(extend(a, next), extend(b, next)));
}

TEST(SigmoidProduct, HasRowsThatDependOnNoOther) {
  for (const int64_t width : {7, 64}) {
    const at::Tensor gate = at::randn({33, width}) * 20, x = at::randn({33, width});
    const at::Tensor all = sigmoid_product(gate, x);
    EXPECT_LT((all - gate.sigmoid() * x).abs().max().item<double>(), 1e-6);
    for (int64_t row = 0; row < 33; ++row)
      EXPECT_TRUE(
          at::equal(sigmoid_product(gate.narrow(0, row, 1), x.narrow(0, row, 1))[0], all[row]));
  }
}

}  // namespace
}  // namespace docspec
