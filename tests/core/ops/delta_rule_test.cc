#include "core/ops/delta_rule.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "cuda/start_up_check.h"
#include "tests/support/forwarding_ops.h"
#include "tests/support/kernel_ops.h"

namespace docspec {
namespace {

/// Whose operations, and sizes of a layer.
struct DeltaCase {
  std::unique_ptr<Ops> (*make)();
  DeltaShape shape;
};
std::unique_ptr<Ops> cuda_on_host() {
  return make_kernel_ops();
}

class DeltaRule : public testing::TestWithParam<DeltaCase> {
 protected:
  DeltaRule() {
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
    const DeltaJob job{&of.rows, &plan};
    return ops->recur(in.x, in.gates, std::span(&job, 1), shape, weights);
  }
  void commit(Sequence& of, const std::vector<int32_t>& path) const {
    ops->commit_delta(std::span(&of.rows, 1), of.length % shape.chunk, path, shape);
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

  const std::unique_ptr<Ops> ops = GetParam().make();
  const DeltaShape shape = GetParam().shape;
  DeltaWeights weights;
};

/// The published sizes, and some that kernels take in part or not at all.
INSTANTIATE_TEST_SUITE_P(Cpu, DeltaRule,
                         testing::Values(DeltaCase{make_cpu_ops, {4, 2, 16, 32, 4, 16}},
                                         DeltaCase{make_cpu_ops, {2, 2, 128, 128, 4, 32}},
                                         DeltaCase{make_cpu_ops, {6, 2, 8, 12, 3, 8}}));
INSTANTIATE_TEST_SUITE_P(CudaKernels, DeltaRule,
                         testing::Values(DeltaCase{cuda_on_host, {4, 2, 16, 40, 4, 16}},
                                         DeltaCase{cuda_on_host, {2, 1, 128, 128, 4, 32}},
                                         DeltaCase{cuda_on_host, {1, 1, 256, 256, 3, 8}}));

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

/// Deep, so that paths cross boundaries, and branching.
std::vector<int32_t> random_parents(std::mt19937& rng, int64_t rows) {
  std::vector<int32_t> parent{-1};
  for (int32_t row = 1; row < rows; ++row)
    parent.push_back(int32_t(rng() % 5 ? row - 1 : rng() % uint64_t(row)));
  return parent;
}

TEST_P(DeltaRule, KernelsEqualTheReference) {
  const Inputs in = random_inputs(40);
  std::mt19937 rng(3);
  const std::vector<int32_t> parent = random_parents(rng, 40);
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
    const std::vector<int32_t> parent = random_parents(rng, rows);
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

/// More jobs than kernels take at once: chains, trees, a prompt.
TEST_P(DeltaRule, ARowHasTheSameBitsWhateverOtherJobsThereAre) {
  std::mt19937 rng(12);
  std::vector<Sequence> together, alone;
  std::vector<Inputs> starts, ins;
  std::vector<DeltaPlan> plans;
  std::vector<std::vector<int32_t>> parents;
  for (int job = 0; job < 19; ++job) {
    starts.push_back(random_inputs(1 + int64_t(rng() % uint64_t(2 * shape.chunk))));
    const int64_t rows = job == 7 ? 2 * shape.chunk + 1 : 1 + int64_t(rng() % 7);
    ins.push_back(random_inputs(rows));
    parents.push_back(job % 2 ? chain(rows) : random_parents(rng, rows));
    for (auto* all : {&together, &alone}) {
      all->push_back(empty());
      extend(all->back(), starts.back());
    }
    plans.push_back(plan_delta(together.back().length, shape.chunk, parents.back()));
  }
  std::vector<DeltaJob> jobs;
  std::vector<at::Tensor> x, gates, wanted;
  for (size_t job = 0; job < plans.size(); ++job) {
    jobs.push_back({&together[job].rows, &plans[job]});
    x.push_back(ins[job].x);
    gates.push_back(ins[job].gates);
    wanted.push_back(pass(alone[job], ins[job], parents[job]));
  }
  EXPECT_TRUE(
      same_bits(ops->recur(at::cat(x), at::cat(gates), jobs, shape, weights), at::cat(wanted)));
  for (size_t job = 0; job < plans.size(); ++job) {
    commit(together[job], {0});
    commit(alone[job], {0});
    const Inputs next = random_inputs(3);
    EXPECT_TRUE(same_bits(extend(together[job], next), extend(alone[job], next))) << job;
  }
}

/// A prompt and a path of a tree; what is kept then is what the reference keeps.
TEST_P(DeltaRule, CommitsAsTheReference) {
  const auto aten = make_aten_ops();
  std::mt19937 rng(13);
  for (const int64_t before : {int64_t{3}, shape.chunk - 1, 5 * shape.chunk + 2}) {
    Sequence kept = empty();
    extend(kept, random_inputs(before));
    std::vector<int32_t> parent = random_parents(rng, 3 * shape.chunk), path;
    pass(kept, random_inputs(3 * shape.chunk), parent);
    for (int32_t row = int32_t(parent.size()) - 1; row >= 0; row = parent[size_t(row)])
      path.insert(path.begin(), row);
    DeltaRows other = kept.rows;
    for (const auto part : {&DeltaRows::state, &DeltaRows::keys, &DeltaRows::updates,
                            &DeltaRows::decays, &DeltaRows::inputs})
      other.*part = (other.*part).clone();
    aten->commit_delta(std::span(&other, 1), before % shape.chunk, path, shape);
    commit(kept, path);
    const int64_t left = kept.length % shape.chunk;
    EXPECT_LT((kept.rows.state - other.state).abs().max().item<double>(), 1e-5);
    EXPECT_TRUE(at::equal(kept.rows.inputs, other.inputs));
    for (const auto part : {&DeltaRows::keys, &DeltaRows::updates, &DeltaRows::decays})
      EXPECT_TRUE(at::equal((kept.rows.*part).narrow(1, 0, left),  //
                            (other.*part).narrow(1, 0, left)));
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

/// What the CUDA library asks when it is opened.
TEST(DeltaStartUpCheck, HoldsOnTheHostAndFindsAFault) {
  struct Faulty : ForwardingOps {
    Faulty() : ForwardingOps(make_kernel_ops()) {}
    void commit_delta(std::span<DeltaRows> layers, int64_t kept, std::span<const int32_t> path,
                      const DeltaShape& shape) const override {
      ops_.commit_delta(layers, kept, path.first(path.size() - 1), shape);
    }
  };
  at::manual_seed(14);
  const auto aten = make_aten_ops(), kernels = make_kernel_ops();
  EXPECT_LT(cuda::recurrent_layers_difference(*kernels, *aten, at::kFloat), 1e-4f);
  EXPECT_GT(cuda::recurrent_layers_difference(Faulty(), *aten, at::kFloat), 1e-4f);
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
