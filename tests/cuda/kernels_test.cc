// The CUDA kernels' own code, run on the host thread by thread, against the ATen reference. What a
// GPU does differently (barriers, exp to the last bit) is for tests/cuda/parity_test.cc.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "core/decode/draft_tree.h"
#include "core/looks.h"
#include "core/model/layers.h"
#include "core/ops.h"
#include "cuda/rows.cuh"
#include "cuda/tree_attention.cuh"

namespace docspec {
namespace {

using namespace cuda;

constexpr int kDim = 16, kHeads = 6, kKvHeads = 2;

DraftTree random_tree(std::mt19937& rng, size_t rows, bool chain) {
  DraftTree tree(1);
  while (tree.rows() < rows) {
    std::vector<int32_t> path(chain ? rows : 1 + rng() % 6);
    for (int32_t& token : path) token = int32_t(rng() % (chain ? 1000 : 3));
    tree.insert(path, 0, 1, rows);
  }
  return tree;
}

/// Jobs of a pass with their caches.
struct Scene {
  std::vector<DraftTree> trees;
  std::vector<int64_t> prefixes;
  std::vector<at::Tensor> keys, values;
  std::vector<std::vector<Slots>> slots;
  at::Tensor q;

  int add(std::mt19937& rng, int64_t prefix, size_t rows, bool chain, std::vector<Slots> seen) {
    trees.push_back(random_tree(rng, rows, chain));
    prefixes.push_back(prefix);
    slots.push_back(std::move(seen));
    const int64_t capacity = (prefix + int64_t(rows)) / kAttentionBlock * kAttentionBlock + 128;
    keys.push_back(at::randn({kKvHeads, capacity, kDim}));
    values.push_back(at::randn({kKvHeads, capacity, kDim}));
    return int(trees.size()) - 1;
  }
  std::vector<AttentionRows> rows() const {
    std::vector<AttentionRows> out;
    for (size_t j = 0; j < trees.size(); ++j)
      out.push_back({prefixes[j], trees[j].parent(), trees[j].depth(), slots[j]});
    return out;
  }
  void make_queries() {
    int64_t rows = 0;
    for (const DraftTree& tree : trees) rows += int64_t(tree.rows());
    q = at::randn({rows, kHeads, kDim});
  }
};

struct Result {
  at::Tensor out, log_sum;
};

/// The kernels' attention; q is scaled as the reference scales it.
Result attend_on_host(const Scene& scene) {
  const AttentionTables tables(scene.rows(), kHeads / kKvHeads);
  const TableView view{tables.jobs.data(), tables.ints.data(), tables.tasks.data()};
  Caches caches{};
  std::vector<int32_t> split_count;
  for (size_t j = 0; j < scene.trees.size(); ++j) {
    caches.keys[j] = scene.keys[j].const_data_ptr<float>();
    caches.values[j] = scene.values[j].const_data_ptr<float>();
    caches.head_stride[j] = scene.keys[j].stride(0);
    for (int row = 0; row < tables.jobs[j].rows; ++row)
      split_count.push_back((view.length(tables.jobs[j], row) + kSplit - 1) / kSplit);
  }
  const at::Tensor q = (scene.q * (1.0 / std::sqrt(double(kDim)))).contiguous();
  const int64_t cells = int64_t(tables.rows) * kHeads * tables.splits;
  at::Tensor top = at::full({cells}, std::nanf("")), sum = top.clone(),
             values = at::full({cells, kDim}, std::nanf(""));
  const Parts parts{top.mutable_data_ptr<float>(), sum.mutable_data_ptr<float>(),
                    values.mutable_data_ptr<float>(), tables.splits};
  Result result{at::full_like(q, std::nanf("")), at::zeros({tables.rows, kHeads})};
  run_on_host(TreeAttention<kDim>{view, caches, q.const_data_ptr<float>(), kHeads, kKvHeads, parts},
              int(tables.tasks.size()), kKvHeads);
  run_on_host(MergeParts<kDim>{parts, split_count.data(), result.out.mutable_data_ptr<float>(),
                               result.log_sum.mutable_data_ptr<float>(), kHeads},
              tables.rows, kHeads);
  return result;
}

at::Tensor attend_by_aten(const Scene& scene, Looks* looks = nullptr) {
  const auto ops = make_aten_ops();
  const std::vector<AttentionRows> rows = scene.rows();
  const auto plan = ops->plan(rows, 1, scene.q);
  std::vector<const at::Tensor*> keys, values;
  for (size_t j = 0; j < scene.keys.size(); ++j)
    keys.push_back(&scene.keys[j]), values.push_back(&scene.values[j]);
  return ops->attention(scene.q, keys, values, *plan, looks);
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

Slots every(int64_t step, int64_t prefix) {
  Slots out;
  for (int64_t i = 0; i < prefix; i += step) out.push_back(i);
  return out;
}

TEST(CudaKernels, AttendAsTheReferenceOverRaggedJobs) {
  std::mt19937 rng(3);
  at::manual_seed(3);
  Scene scene;
  scene.add(rng, 0, 1, true, {});
  scene.add(rng, 255, 3, true, {});
  scene.add(rng, 600, 21, false, {});
  scene.add(rng, 300, 9, false, {every(3, 300)});
  std::vector<Slots> own;
  for (int row = 0; row < 7; ++row) own.push_back(every(2 + row, 540));
  scene.add(rng, 540, 7, false, own);
  scene.add(rng, 256, 300, true, {});
  scene.make_queries();
  EXPECT_LT(distance(attend_on_host(scene).out, attend_by_aten(scene)), 1e-5);
}

TEST(CudaKernels, GiveATreeRowTheBitsOfItsPathRunLinearly) {
  std::mt19937 rng(5);
  at::manual_seed(5);
  for (const int64_t prefix : {250, 511}) {
    Scene scene;
    scene.add(rng, prefix, 24, false, {});
    scene.make_queries();
    const at::Tensor out = attend_on_host(scene).out;
    for (int32_t row = 0; row < 24; row += 5) {
      Slots path;
      for (int32_t r = row; r >= 0; r = scene.trees[0].parent()[size_t(r)])
        path.insert(path.begin(), prefix + r);
      Scene linear;
      linear.add(rng, prefix + int64_t(path.size()) - 1, 1, true, {});
      linear.keys[0] = scene.keys[0].clone();
      linear.values[0] = scene.values[0].clone();
      const at::Tensor from = at::tensor(path, at::kLong);
      for (size_t side = 0; side < 2; ++side) {
        at::Tensor& to = side == 0 ? linear.keys[0] : linear.values[0];
        const at::Tensor& source = side == 0 ? scene.keys[0] : scene.values[0];
        to.narrow(1, prefix, int64_t(path.size())).copy_(source.index_select(1, from));
      }
      linear.q = scene.q.narrow(0, row, 1);
      EXPECT_TRUE(at::equal(attend_on_host(linear).out[0], out[row])) << prefix << ' ' << row;
    }
  }
}

TEST(CudaKernels, GiveAJobTheSameBitsAloneAndBesideOthers) {
  std::mt19937 rng(6);
  at::manual_seed(6);
  Scene both;
  both.add(rng, 400, 12, false, {});
  both.add(rng, 90, 5, true, {});
  both.make_queries();
  const at::Tensor out = attend_on_host(both).out;
  Scene alone;
  alone.trees = {both.trees[1]};
  alone.prefixes = {90};
  alone.slots = {{}};
  alone.keys = {both.keys[1]};
  alone.values = {both.values[1]};
  alone.q = both.q.narrow(0, 12, 5);
  EXPECT_TRUE(at::equal(attend_on_host(alone).out, out.narrow(0, 12, 5)));
}

TEST(CudaKernels, LookAsTheReference) {
  std::mt19937 rng(7);
  at::manual_seed(7);
  Scene scene;
  scene.add(rng, 300, 11, false, {});
  scene.make_queries();
  Looks looks{{{40, 290}}, {}};
  attend_by_aten(scene, &looks);
  const Result result = attend_on_host(scene);
  const AttentionTables tables(scene.rows(), kHeads / kKvHeads);
  const at::Tensor q = (scene.q * (1.0 / std::sqrt(double(kDim)))).contiguous();
  at::Tensor out = at::full({11, 250}, std::nanf(""));
  run_on_host(LookedAt<kDim>{{tables.jobs.data(), tables.ints.data(), tables.tasks.data()},
                             0,
                             scene.keys[0].const_data_ptr<float>(),
                             scene.keys[0].stride(0),
                             q.const_data_ptr<float>(),
                             result.log_sum.const_data_ptr<float>(),
                             kHeads,
                             kKvHeads,
                             40,
                             290,
                             out.mutable_data_ptr<float>()},
              2, 11);
  EXPECT_LT(distance(out, looks.weights[0]), 1e-6);
}

TEST(CudaKernels, TellRowStatisticsAsTheReference) {
  at::manual_seed(8);
  for (const int vocab : {1, 7, 255, 256, 257, 3001}) {
    const int rows = 5;
    at::Tensor logits = at::randn({rows, vocab}) * 5;
    if (vocab > 2) logits[1][vocab - 1] = logits[1][2] = 40;  // equals: the lowest id
    const std::vector<int32_t> token = {0, vocab - 1, 0, vocab / 2, 0}, parent = {-1, 0, 0, 2, 3};
    const RowStats wanted = make_aten_ops()->row_stats(logits, token, parent);
    std::vector<int32_t> argmax(rows);
    std::vector<float> top(rows), second(rows), logsumexp(rows), own(rows);
    run_on_host(
        RowStatistics{logits.const_data_ptr<float>(), token.data(), parent.data(), vocab,
                      argmax.data(), top.data(), second.data(), logsumexp.data(), own.data()},
        rows, 1);
    EXPECT_EQ(argmax, wanted.argmax) << vocab;
    EXPECT_EQ(top, wanted.top_logit) << vocab;
    EXPECT_EQ(own, wanted.own_logit) << vocab;
    for (int row = 0; row < rows; ++row) {
      EXPECT_NEAR(logsumexp[size_t(row)], wanted.logsumexp[size_t(row)], 1e-4);
      if (vocab > 1) {
        EXPECT_EQ(second[size_t(row)], wanted.second_logit[size_t(row)]) << vocab;
      }
    }
  }
}

TEST(CudaKernels, NormRotateAndGateAsTheReference) {
  at::manual_seed(9);
  const auto ops = make_aten_ops();
  const int rows = 3, width = 300;
  const at::Tensor x = at::randn({rows, width}), weight = at::randn({width});
  at::Tensor normed = at::empty_like(x);
  run_on_host(NormRows{x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                       normed.mutable_data_ptr<float>(), width, 1e-6f},
              rows, 1);
  EXPECT_LT(distance(normed, ops->rms_norm(x, weight, 1e-6)), 1e-5);

  std::vector<float> angles;
  for (int i = 0; i < rows * kDim / 2; ++i) angles.push_back(0.37f * float(i));
  const Rotary rotary = make_rotary(angles, rows, x);
  const at::Tensor heads = at::randn({rows, kHeads, kDim});
  at::Tensor turned = at::empty_like(heads);
  const at::Tensor cos = rotary.cos.contiguous(), sin = rotary.sin.contiguous();
  run_on_host(RotateRows{heads.const_data_ptr<float>(), cos.const_data_ptr<float>(),
                         sin.const_data_ptr<float>(), turned.mutable_data_ptr<float>(),
                         kHeads * kDim, rows, kHeads, kDim},
              (rows * kHeads * kDim + 255) / 256, 1);
  EXPECT_LT(distance(turned, ops->rotate(heads, rotary)), 1e-5);

  const at::Tensor gate_up = at::randn({rows, 2 * width});
  at::Tensor gated = at::empty({rows, width});
  run_on_host(
      SwigluRows{gate_up.const_data_ptr<float>(), gated.mutable_data_ptr<float>(), rows, width},
      (rows * width + 255) / 256, 1);
  EXPECT_LT(distance(gated, ops->swiglu(gate_up)), 1e-5);
}

TEST(CudaKernels, KeepCacheRowsInPlace) {
  at::Tensor cache = at::randn({2, 128, kDim}), wanted = cache.clone();
  const std::vector<int64_t> from = {51, 52, 55, 60, 61};
  make_aten_ops()->gather_rows(wanted, from, 50);
  run_on_host(KeepRows{cache.mutable_data_ptr<float>(), from.data(), 128, 50, 2 * kDim,
                       int(from.size()), kDim},
              1, 1);
  EXPECT_TRUE(at::equal(cache, wanted));
}

}  // namespace
}  // namespace docspec
