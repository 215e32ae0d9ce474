// The CUDA operations on a GPU against libtorch's on the same GPU; skipped where there is none.
#include <ATen/ATen.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <random>

#include "core/decode/draft_tree.h"
#include "core/looks.h"
#include "core/model/layers.h"
#include "core/ops.h"

namespace docspec {
namespace {

const auto kGpu = at::TensorOptions().device(at::kCUDA).dtype(at::kFloat);

class CudaParity : public ::testing::Test {
 protected:
  void SetUp() override {
    void* library = dlopen("libdocspec_cuda.so", RTLD_NOW | RTLD_GLOBAL);
    if (!library) library = dlopen(DOCSPEC_CUDA_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
    using Devices = int();
    using Make = Ops*(const Ops*);
    auto* devices =
        library ? reinterpret_cast<Devices*>(dlsym(library, "docspec_cuda_devices")) : nullptr;
    if (!devices || devices() == 0) GTEST_SKIP() << "skipped: no CUDA device";
    ours_.reset(reinterpret_cast<Make*>(dlsym(library, "docspec_make_cuda_ops"))(aten_.get()));
    ASSERT_NE(ours_, nullptr) << "the library's own check found that the kernels do not agree";
    at::manual_seed(1);
  }

  static DraftTree tree(std::mt19937& rng, size_t rows) {
    DraftTree tree(1);
    while (tree.rows() < rows) {
      std::vector<int32_t> path(1 + rng() % 9);
      for (int32_t& token : path) token = int32_t(rng() % 3);
      tree.insert(path, 0, 1, rows);
    }
    return tree;
  }

  const std::unique_ptr<Ops> aten_ = make_aten_ops();
  std::unique_ptr<Ops> ours_;
};

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

class CudaAttention : public CudaParity, public ::testing::WithParamInterface<at::ScalarType> {};
INSTANTIATE_TEST_SUITE_P(CudaParity, CudaAttention, ::testing::Values(at::kFloat, at::kBFloat16));

TEST_P(CudaAttention, OverHeadSizesGroupsBatchesAndOddLengths) {
  std::mt19937 rng(2);
  const double near = GetParam() == at::kFloat ? 1e-5 : 2e-2;
  for (const int64_t dim : {16, 64, 80, 128})
    for (const auto& [heads, kv_heads] : {std::pair{4, 4}, {12, 2}, {16, 2}})
      for (const std::vector<int64_t>& prefixes :
           std::vector<std::vector<int64_t>>{{0}, {1}, {4095}, {17, 300, 2049}}) {
        std::vector<DraftTree> trees;
        std::vector<at::Tensor> keys, values;
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
          keys.push_back(cache());
          values.push_back(cache());
        }
        for (size_t j = 0; j < trees.size(); ++j) {
          const size_t sets = j % 3 == 0 ? 0 : j % 3 == 1 ? 1 : trees[j].rows();
          for (size_t set = 0; set < sets; ++set) {
            slots[j].emplace_back();
            for (int64_t i = 0; i < prefixes[j]; ++i)
              if ((i * 7 + int64_t(set)) % 5 < 2) slots[j].back().push_back(i);
          }
          rows.push_back({prefixes[j], trees[j].parent(), trees[j].depth(), slots[j]});
        }
        const at::Tensor q = at::randn({all, heads, dim}, kGpu);
        std::vector<const at::Tensor*> k, v;
        for (size_t j = 0; j < keys.size(); ++j) k.push_back(&keys[j]), v.push_back(&values[j]);
        Looks ours, theirs;
        for (const int64_t prefix : prefixes)
          ours.ranges.push_back(prefixes.size() == 1 ? Looks::Range{prefix / 3, prefix}
                                                     : Looks::Range{});
        theirs.ranges = ours.ranges;
        const auto plan = ours_->plan(rows, 1, q), other = aten_->plan(rows, 8, q);
        EXPECT_LT(distance(ours_->attention(q, k, v, *plan, &ours),
                           aten_->attention(q, k, v, *other, &theirs)),
                  near)
            << dim << ' ' << heads << '/' << kv_heads << ' ' << prefixes[0];
        if (theirs.weights[0].defined()) {
          EXPECT_LT(distance(ours.weights[0], theirs.weights[0]), near);
        }
      }
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
    for (size_t row = 0; row < 9; ++row) {
      EXPECT_NEAR(a.logsumexp[row], b.logsumexp[row], 1e-4) << vocab;
      if (vocab > 1) {
        EXPECT_EQ(a.second_logit[row], b.second_logit[row]) << vocab;
      }
    }
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
    at::Tensor ours = x, theirs = x;
    expect_near(ours_->add_norm(ours, more, weight, 1e-6),
                aten_->add_norm(theirs, more, weight, 1e-6));
    EXPECT_TRUE(at::equal(ours, theirs));
    std::vector<float> angles;
    for (int i = 0; i < 33 * 64; ++i) angles.push_back(0.013f * float(i));
    const Rotary rotary = make_rotary(angles, 33, x);
    const at::Tensor heads = random({33, 16 * 128}).narrow(1, 0, 12 * 128).view({33, 12, 128});
    expect_near(ours_->rotate(heads, rotary), aten_->rotate(heads, rotary));
    std::vector<at::Tensor> rooms;
    for (int i = 0; i < 8; ++i) rooms.push_back(at::zeros({2, 128, 128}, kGpu).to(type));
    const auto room = [&](size_t i) {
      return std::vector<NewRows>{{&rooms[i], &rooms[i + 1], 5, 30},
                                  {&rooms[i + 2], &rooms[i + 3], 0, 3}};
    };
    const at::Tensor qkv = random({33, 16 * 128});
    expect_near(ours_->rotate_append(qkv, 12, 2, rotary, room(0)),
                aten_->rotate_append(qkv, 12, 2, rotary, room(4)));
    for (size_t i = 0; i < 4; ++i) expect_near(rooms[i], rooms[i + 4]);
    const at::Tensor gate_up = random({33, 2 * 8960});
    expect_near(ours_->swiglu(gate_up), aten_->swiglu(gate_up));
    std::vector<at::Tensor> caches = {random({2, 512, 128}), random({2, 512, 128})},
                            wanted = {caches[0].clone(), caches[1].clone()};
    const std::vector<int64_t> from = {301, 302, 310, 333};
    ours_->gather_rows(caches, from, 300);
    aten_->gather_rows(wanted, from, 300);
    for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(at::equal(caches[i], wanted[i]));
  }
}

TEST_F(CudaParity, WorkAsideComesBehindWhatWasAskedBeforeAndItsMemoryIsNotTakenFromReaders) {
  EXPECT_TRUE(ours_->works_aside());
  const at::Tensor x = at::randn({3000, 3000}, kGpu);
  for (int round = 0; round < 20; ++round) {
    const at::Tensor before = at::mm(x, x + round);
    at::Tensor made;
    const auto work = ours_->aside([&] { made = at::mm(before, x); });
    const at::Tensor beside = at::mm(x, before);
    work->wait();
    EXPECT_TRUE(work->done());
    const at::Tensor read = made * 2;
    made = at::Tensor();
    ours_->aside([&] { at::full_like(x, 7); })->wait();
    EXPECT_TRUE(at::equal(read, at::mm(before, x) * 2)) << round;
    EXPECT_TRUE(at::equal(beside, at::mm(x, before))) << round;
  }
}

}  // namespace
}  // namespace docspec
