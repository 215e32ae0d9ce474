// The CUDA operations on a GPU against libtorch's on the same GPU; skipped where there is none.
#include "core/ops/ops.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "cli/engine/device.h"
#include "core/decode/sample/sampling.h"
#include "core/model/draft_tree.h"
#include "core/ops/attention_weights.h"
#include "core/ops/delta_rule.h"
#include "core/ops/graph_cache.h"
#include "core/ops/layers.h"
#include "tests/gpu/gpu.h"

namespace docspec {
namespace {

const auto kGpu = at::TensorOptions().device(at::kCUDA).dtype(at::kFloat);

class CudaParity : public test::OnGpu {
 protected:
  static DraftTree tree(std::mt19937& rng, size_t rows) {
    DraftTree tree(1);
    while (tree.rows() < rows) {
      std::vector<int32_t> path(1 + rng() % 9);
      for (int32_t& token : path) token = int32_t(rng() % 3);
      tree.insert(path, 0, 1, rows);
    }
    return tree;
  }
};

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

class CudaAttention : public CudaParity, public ::testing::WithParamInterface<at::ScalarType> {};
INSTANTIATE_TEST_SUITE_P(CudaParity, CudaAttention, ::testing::Values(at::kFloat, at::kBFloat16));

TEST_P(CudaAttention, OverHeadSizesGroupsBatchesAndOddLengths) {
  std::mt19937 rng(2);
  const double near = GetParam() == at::kFloat ? 1e-5 : 2e-2;
  for (const int64_t dim : {16, 64, 80, 128, 256})
    for (const auto& [heads, kv_heads] : {std::pair{4, 4}, {12, 2}, {16, 2}})
      for (const std::vector<int64_t>& prefixes :
           std::vector<std::vector<int64_t>>{{0}, {1}, {4095}, {17, 300, 2049}}) {
        std::vector<DraftTree> trees;
        std::vector<std::vector<at::Tensor>> pages;
        std::vector<CacheRows> caches;
        std::vector<AttentionRows> rows;
        std::vector<std::vector<Slots>> slots(prefixes.size());
        int64_t all = 0;
        for (const int64_t prefix : prefixes) {
          trees.push_back(tree(rng, 1 + rng() % 64));
          all += int64_t(trees.back().rows());
          const auto cache = [&] {
            const int64_t capacity = (prefix + 64) / 128 * 128 + 128;
            return at::randn({kv_heads, capacity, dim}, kGpu).to(GetParam());
          };
          pages.push_back(pages_of(cache(), cache()));
        }
        for (size_t j = 0; j < trees.size(); ++j) {
          const size_t sets = j % 3 == 0 ? 0 : j % 3 == 1 ? 1 : trees[j].rows();
          for (size_t set = 0; set < sets; ++set) {
            slots[j].emplace_back();
            for (int64_t i = 0; i < prefixes[j]; ++i)
              if ((i * 7 + int64_t(set)) % 5 < 2) slots[j].back().push_back(i);
          }
          rows.push_back({prefixes[j], trees[j].parent(), trees[j].depth(), slots[j], pages[j]});
          caches.push_back({nullptr, nullptr, prefixes[j], int64_t(trees[j].rows()), pages[j], 0});
        }
        const at::Tensor q = at::randn({all, heads, dim}, kGpu);
        AttentionWeights ours, theirs;
        for (const int64_t prefix : prefixes)
          ours.ranges.push_back(prefixes.size() == 1 ? AttentionWeights::Range{prefix / 3, prefix}
                                                     : AttentionWeights::Range{});
        theirs.ranges = ours.ranges;
        const BatchLayout shape{8, heads / kv_heads};
        const auto plan = ours_->plan(rows, shape, pages[0][0]),
                   other = aten_->plan(rows, shape, pages[0][0]);
        EXPECT_LT(distance(ours_->attention(q, caches, *plan, &ours),
                           aten_->attention(q, caches, *other, &theirs)),
                  near)
            << dim << ' ' << heads << '/' << kv_heads << ' ' << prefixes[0];
        if (theirs.weights[0].defined()) {
          EXPECT_LT(distance(ours.weights[0], theirs.weights[0]), near);
        }
      }
}

TEST_F(CudaParity, TheStartUpCheckFindsNoFault) {
  EXPECT_NE(make_device_ops("cuda", *aten_), nullptr) << "stderr says what differs";
}

TEST_F(CudaParity, RowStatistics) {
  for (const int64_t vocab : {1, 255, 257, 2048, 151936}) {
    at::Tensor logits = at::randn({9, vocab}, kGpu) * 5;
    if (vocab > 200) logits[3][7] = logits[3][200] = 60;
    std::vector<int32_t> token, parent;
    for (int32_t row = 0; row < 9; ++row) {
      token.push_back(int32_t((row * 977) % vocab));
      parent.push_back(row - 1);
    }
    const RowStats a = ours_->row_stats(logits, token, parent),
                   b = aten_->row_stats(logits, token, parent);
    EXPECT_EQ(a.argmax, b.argmax) << vocab;
    EXPECT_EQ(a.top_logit, b.top_logit);
    EXPECT_EQ(a.own_logit, b.own_logit);
    EXPECT_EQ(a.path_position, b.path_position);
    for (size_t row = 0; row < 9; ++row) {
      EXPECT_NEAR(a.logsumexp[row], b.logsumexp[row], 1e-4) << vocab;
      if (vocab > 1) {
        EXPECT_EQ(a.second_logit[row], b.second_logit[row]) << vocab;
      }
    }
  }
}

TEST_F(CudaParity, TokensAreDrawnFromTheLawOfTheHost) {
  std::mt19937 rng(15);
  for (const int64_t vocab : {1, 300, 4001, 151936})
    for (const auto& [top_p, top_k] : {std::pair{1.0, 0}, {0.9, 0}, {1.0, 40}, {0.8, 5}}) {
      const at::Tensor logits = at::randn({9, vocab}, kGpu) * 3;
      std::vector<RowSampling> how;
      std::vector<int32_t> token, parent;
      for (int32_t row = 0; row < 9; ++row) {
        how.push_back({0.7, top_p, top_k, double(rng()) / 4294967296.0});
        token.push_back(int32_t(rng() % uint64_t(vocab)));
        parent.push_back(row - 1);
      }
      const SampledRows drawn = ours_->draw(logits, how, token, parent);
      EXPECT_EQ(drawn.path_position, path_positions(drawn.token, token, parent));
      const at::Tensor host = logits.to(at::kCPU);
      for (size_t row = 0; row < 9; ++row) {
        const Distribution distribution = sampling_distribution(
            {host[int64_t(row)].const_data_ptr<float>(), size_t(vocab)}, {0.7, top_p, top_k, 0});
        double before = 0;
        for (int32_t i = 0; i < drawn.token[row]; ++i) before += distribution[size_t(i)];
        EXPECT_GE(how[row].uniform, before - 1e-9) << vocab;
        EXPECT_LE(how[row].uniform, before + distribution[size_t(drawn.token[row])] + 1e-9)
            << vocab;
      }
    }
}

TEST_F(CudaParity, TheLargestOfARow) {
  for (const int64_t n : {1, 300, 4956}) {
    const at::Tensor scores = at::cat({at::rand({9, n}, kGpu), at::randn({9, n}, kGpu).trunc()});
    for (const int64_t k : {int64_t{1}, n / 5 + 1, n})
      EXPECT_TRUE(at::equal(ours_->top_k(scores, k), aten_->top_k(scores, k))) << n << ' ' << k;
  }
}

TEST_F(CudaParity, NormRotationGateAndCommit) {
  for (const auto& [type, near] : {std::pair{at::kFloat, 1e-5}, {at::kBFloat16, 2e-2}}) {
    const auto random = [&](at::IntArrayRef sizes) { return at::randn(sizes, kGpu).to(type); };
    const auto expect_near = [&](const at::Tensor& a, const at::Tensor& b) {
      EXPECT_LE(distance(a.to(at::kFloat), b.to(at::kFloat)), near * b.abs().max().item<double>());
    };
    const at::Tensor x = random({33, 1536}), more = random({33, 1536}), weight = random({1536});
    expect_near(ours_->rms_norm(x, weight, 1e-6), aten_->rms_norm(x, weight, 1e-6));
    const at::Tensor wide = at::randn({1536}, kGpu);
    expect_near(ours_->rms_norm(x, wide, 1e-6), aten_->rms_norm(x, wide, 1e-6));
    at::Tensor ours = x, theirs = x;
    expect_near(ours_->add_norm(ours, more, weight, 1e-6),
                aten_->add_norm(theirs, more, weight, 1e-6));
    EXPECT_TRUE(at::equal(ours, theirs));
    std::vector<float> angles;
    for (int i = 0; i < 33 * 64; ++i) angles.push_back(0.013f * float(i));
    const Rotary rotary = make_rotary(angles, 33, x);
    const at::Tensor turns = at::tensor(angles, at::kCUDA).view({33, 64});
    const Rotary made = ours_->rotary(turns, 128);
    EXPECT_LT(distance(made.cos, rotary.cos), 1e-6);
    EXPECT_LT(distance(made.sin, rotary.sin), 1e-6);
    at::Tensor image = random({33, 3, 12, 128}), turned = image.clone();
    ASSERT_TRUE(ours_->fuses_vision(image));
    ours_->turn_heads(image, rotary);
    aten_->turn_heads(turned, rotary);
    expect_near(image, turned);
    const at::Tensor heads = random({33, 16 * 128}).narrow(1, 0, 12 * 128).view({33, 12, 128});
    expect_near(ours_->rotate(heads, rotary), aten_->rotate(heads, rotary));
    const at::Tensor qkv = random({33, 16 * 128});
    const auto page = [&] { return random({3, 2, 2, 128, 128}); };
    const std::vector<at::Tensor> pages = {page(), page(), page()},
                                  wanted = {pages[0].clone(), pages[1].clone(), pages[2].clone()};
    std::vector<int32_t> parent(30), depth(30);
    std::iota(parent.begin(), parent.end(), -1);
    std::iota(depth.begin(), depth.end(), 0);
    const auto append = [&](const Ops& ops, const std::vector<at::Tensor>& to) {
      const std::span all(to);
      const std::vector<CacheRows> caches = {{nullptr, nullptr, 105, 30, all.first(2), 1},
                                             {nullptr, nullptr, 0, 3, all.subspan(2), 1}};
      const std::vector<AttentionRows> rows = {
          {105, parent, depth, {}, all.first(2)},
          {0, std::span(parent).first(3), std::span(depth).first(3), {}, all.subspan(2)}};
      const auto plan = ops.plan(rows, {1, 6}, to[0]);
      return ops.rotate_append(qkv, 12, 2, rotary, caches, *plan);
    };
    expect_near(append(*ours_, pages), append(*aten_, wanted));
    for (size_t i = 0; i < 3; ++i) expect_near(pages[i], wanted[i]);
    const at::Tensor gate_up = random({33, 2 * 8960});
    expect_near(ours_->swiglu(gate_up), aten_->swiglu(gate_up));
    const std::vector<int64_t> from = {127, 128, 140, 300};
    const std::vector<at::Tensor> kept = {page(), page(), page()},
                                  as = {kept[0].clone(), kept[1].clone(), kept[2].clone()};
    ours_->gather_pages(kept, from, 126);
    aten_->gather_pages(as, from, 126);
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(at::equal(kept[i], as[i]));
  }
}

/// Qwen3.5's sizes: prompts, chains and trees of several jobs, and their commits.
TEST_F(CudaParity, RecurrentLayers) {
  std::mt19937 rng(16);
  for (const DeltaShape& shape : {DeltaShape{16, 16, 128, 128, 4, 32},
                                  DeltaShape{32, 16, 128, 128, 4, 32},
                                  {4, 2, 16, 32, 4, 16}}) {
    const DeltaWeights weights{at::randn({shape.taps, shape.channels()}, kGpu),
                               -at::rand({shape.heads}, kGpu), at::randn({shape.heads}, kGpu)};
    std::vector<std::vector<DeltaRows>> kept(2);  // of ours and of the reference
    std::vector<int64_t> length(3, 0);
    for (auto& jobs : kept)
      for (int job = 0; job < 3; ++job) jobs.push_back(empty_delta_rows(shape, weights.taps));
    for (int pass = 0; pass < 4; ++pass) {
      std::vector<std::vector<int32_t>> parents, paths(3);
      std::vector<DeltaPlan> plans;
      int64_t rows = 0;
      for (size_t job = 0; job < 3; ++job) {
        parents.emplace_back(pass == 0 ? 70 + 40 * job : 1 + rng() % 60);
        std::iota(parents[job].begin(), parents[job].end(), -1);
        if (pass > 0 && job > 0) {
          const DraftTree drafts = tree(rng, parents[job].size());
          parents[job].assign(drafts.parent().begin(), drafts.parent().end());
        }
        for (auto row = int32_t(parents[job].size()) - 1; row >= 0; row = parents[job][size_t(row)])
          paths[job].insert(paths[job].begin(), row);
        plans.push_back(plan_delta(length[job], shape.chunk, parents[job]));
        rows += plans.back().rows();
      }
      const at::Tensor x = at::randn({rows, shape.channels()}, kGpu),
                       gates = at::randn({rows, 2 * shape.heads}, kGpu);
      std::vector<at::Tensor> out;
      for (size_t who = 0; who < 2; ++who) {
        const Ops& ops = who == 0 ? *ours_ : *aten_;
        std::vector<DeltaJob> jobs;
        for (size_t job = 0; job < 3; ++job) jobs.push_back({&kept[who][job], &plans[job]});
        out.push_back(ops.recur(x, gates, jobs, shape, weights));
        for (size_t job = 0; job < 3; ++job)
          ops.commit_delta(std::span(&kept[who][job], 1), length[job] % shape.chunk, paths[job],
                           shape);
      }
      EXPECT_LT(distance(out[0], out[1]), 1e-4) << shape.heads << ' ' << pass;
      for (size_t job = 0; job < 3; ++job) {
        length[job] += int64_t(paths[job].size());
        EXPECT_LT(distance(kept[0][job].state, kept[1][job].state), 1e-4) << shape.heads;
        EXPECT_TRUE(at::equal(kept[0][job].inputs, kept[1][job].inputs));
      }
    }
  }
}

/// On a GPU, too, a row has the bits of its path run linearly, across boundaries and commits.
TEST_F(CudaParity, ARowOfARecurrentLayerHasTheBitsOfItsPathAlone) {
  std::mt19937 rng(17);
  const DeltaShape shape{16, 16, 128, 128, 4, 32};
  const DeltaWeights weights{at::randn({shape.taps, shape.channels()}, kGpu),
                             -at::rand({shape.heads}, kGpu), at::randn({shape.heads}, kGpu)};
  const auto pass = [&](DeltaRows& rows, int64_t length, const at::Tensor& x,
                        const at::Tensor& gates, std::span<const int32_t> parent) {
    const DeltaPlan plan = plan_delta(length, shape.chunk, parent);
    const DeltaJob job{&rows, &plan};
    return ours_->recur(x, gates, std::span(&job, 1), shape, weights);
  };
  const std::vector<int32_t> root = {-1}, itself = {0};
  for (int round = 0; round < 6; ++round) {
    const DraftTree draft = tree(rng, 90);
    const at::Tensor x = at::randn({90, shape.channels()}, kGpu),
                     gates = at::randn({90, 2 * shape.heads}, kGpu);
    DeltaRows together = empty_delta_rows(shape, x), alone = empty_delta_rows(shape, x);
    int64_t length = 0;
    for (; length < 27 + round; ++length)
      for (DeltaRows* rows : {&together, &alone}) {
        pass(*rows, length, x.narrow(0, length, 1), gates.narrow(0, length, 1), root);
        ours_->commit_delta(std::span(rows, 1), length % shape.chunk, itself, shape);
      }
    const at::Tensor out = pass(together, length, x, gates, draft.parent());
    std::vector<int32_t> path;
    for (int32_t row = 89; row >= 0; row = draft.parent()[size_t(row)])
      path.insert(path.begin(), row);
    for (const int32_t row : path) {
      const at::Tensor own =
          pass(alone, length, x.narrow(0, row, 1), gates.narrow(0, row, 1), root);
      EXPECT_TRUE(at::equal(own[0], out[row])) << round << ' ' << row;
      ours_->commit_delta(std::span(&alone, 1), length++ % shape.chunk, itself, shape);
    }
  }
}

TEST_F(CudaParity, APromptIsReadAsByTheReference) {
  const at::Tensor q = at::randn({700, 12, 128}, kGpu);
  const auto side = [] { return at::randn({2, 768, 128}, kGpu).to(at::kBFloat16); };
  const std::vector<at::Tensor> pages = pages_of(side(), side());
  std::vector<int32_t> parent(700), depth(700);
  std::iota(parent.begin(), parent.end(), -1);
  std::iota(depth.begin(), depth.end(), 0);
  const AttentionRows rows{0, parent, depth, {}, pages};
  const std::vector<CacheRows> caches = {{nullptr, nullptr, 0, 700, pages, 0}};
  const auto plan = ours_->plan(std::span(&rows, 1), {1, 6}, pages[0]),
             other = aten_->plan(std::span(&rows, 1), {1, 6}, pages[0]);
  EXPECT_LT(distance(ours_->attention(q, caches, *plan), aten_->attention(q, caches, *other)),
            2e-2);
}

/// Passes one after the other, some of one shape: recorded and played, they give the bits of a pass
/// that is run.
TEST_F(CudaParity, APlayedPassHasTheBitsOfOneThatIsRun) {
  const auto records = ours_->graph_cache(at::empty({0}, kGpu));
  ASSERT_NE(records, nullptr);
  std::mt19937 rng(6);
  const std::vector<at::Tensor> pages =
      pages_of(at::randn({2, 4096, 128}, kGpu), at::randn({2, 4096, 128}, kGpu));
  const at::Tensor embedding = at::randn({50, 16 * 128}, kGpu);
  for (int pass = 0; pass < 24; ++pass) {
    const DraftTree draft = tree(rng, 1 + rng() % 30);
    const int64_t prefix = 3000 + int64_t(rng() % 60), n = int64_t(draft.rows());
    const AttentionRows rows{prefix, draft.parent(), draft.depth(), {}, pages};
    const std::vector<CacheRows> caches = {{nullptr, nullptr, prefix, n, pages, 0}};
    at::Tensor ids = at::zeros({GraphCache::rows(n, 8)}, at::kInt);
    for (int64_t i = 0; i < n; ++i) ids[i] = int64_t(rng() % 50);
    std::vector<float> angles;
    for (int64_t i = 0; i < ids.size(0) * 64; ++i) angles.push_back(0.01f * float(i + pass));
    const at::Tensor turns = at::tensor(angles).view({ids.size(0), 64});
    const BatchLayout shape{8, 6, ids.size(0)};
    const auto plan = ours_->plan(std::span(&rows, 1), shape, pages[0]),
               again = ours_->plan(std::span(&rows, 1), shape, pages[0]);
    const auto body = [&](const AttentionPlan& of) {
      return [&](const at::Tensor& tokens, const at::Tensor& turned) {
        const at::Tensor qkv = embedding.index_select(0, tokens);
        const Rotary rotary = ours_->rotary(turned, 128);
        const at::Tensor q = ours_->rotate_append(qkv, 12, 2, rotary, caches, of);
        return ours_->attention(q, caches, of);
      };
    };
    const at::Tensor played = records->run(ids, turns, *plan, body(*plan)).clone();
    EXPECT_TRUE(at::equal(played, body(*again)(ids.to(at::kCUDA), turns.to(at::kCUDA)))) << pass;
  }
}

/// A pass that cannot be recorded, since it waits for the device, is run all the same, and so is
/// what comes after it: neither the stream nor the allocator is left recording.
TEST_F(CudaParity, APassThatCannotBeRecordedIsRun) {
  const auto records = ours_->graph_cache(at::empty({0}, kGpu));
  const std::vector<at::Tensor> pages =
      pages_of(at::randn({2, 128, 128}, kGpu), at::randn({2, 128, 128}, kGpu));
  const std::vector<int32_t> parent = {-1}, depth = {0};
  const AttentionRows rows{5, parent, depth, {}, pages};
  const at::Tensor ids = at::full({8}, 3, at::kInt), angles = at::zeros({8, 64});
  for (int pass = 0; pass < 4; ++pass) {
    const auto plan = ours_->plan(std::span(&rows, 1), {8, 6, 8}, pages[0]);
    const at::Tensor out =
        records->run(ids, angles, *plan, [](const at::Tensor& tokens, const at::Tensor&) {
          return tokens.to(at::kFloat) * (tokens.sum().item<int64_t>() > 0 ? 2 : 1);
        });
    EXPECT_TRUE(at::equal(out.to(at::kCPU), at::full({8}, 6.0f))) << pass;
    EXPECT_EQ(at::ones({1 << 20}, kGpu).sum().item<float>(), 1 << 20);
  }
}

TEST_F(CudaParity, WorkAsideComesBehindWhatWasAskedBeforeAndItsMemoryIsNotTakenFromReaders) {
  EXPECT_TRUE(ours_->asynchronous());
  const at::Tensor x = at::randn({3000, 3000}, kGpu);
  for (int round = 0; round < 20; ++round) {
    const at::Tensor before = at::mm(x, x + round);
    at::Tensor made;
    const auto work = ours_->run_async([&] { made = at::mm(before, x); });
    const at::Tensor beside = at::mm(x, before);
    work->wait();
    EXPECT_TRUE(work->done());
    const at::Tensor read = made * 2;
    made = at::Tensor();
    ours_->run_async([&] { at::full_like(x, 7); })->wait();
    EXPECT_TRUE(at::equal(read, at::mm(before, x) * 2)) << round;
    EXPECT_TRUE(at::equal(beside, at::mm(x, before))) << round;
  }
}

}  // namespace
}  // namespace docspec
