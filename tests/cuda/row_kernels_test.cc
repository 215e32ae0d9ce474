// The CUDA kernels of rows, run on the host thread by thread, against the ATen reference.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/model/draft_tree.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"
#include "cuda/accept.cuh"
#include "cuda/rows.cuh"
#include "cuda/select.cuh"
#include "tests/support/kernel_ops.h"

namespace docspec {
namespace {

using namespace cuda;

using Ids = std::vector<int32_t>;

constexpr int kDim = 16, kHeads = 6, kKvHeads = 2;

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

void expect_statistics(const at::Tensor& logits) {
  const auto ours = make_kernel_ops(), aten = make_aten_ops();
  const auto vocab = int32_t(logits.size(1));
  const std::vector<int32_t> token = {0, vocab - 1, 0, vocab / 2, 0}, parent = {-1, 0, 0, 2, 3};
  const RowStats told = ours->row_stats(logits, token, parent),
                 wanted = aten->row_stats(logits, token, parent);
  EXPECT_EQ(told.argmax, wanted.argmax) << vocab;
  EXPECT_EQ(told.top_logit, wanted.top_logit) << vocab;
  EXPECT_EQ(told.own_logit, wanted.own_logit) << vocab;
  if (vocab > 1) {  // siblings differ
    EXPECT_EQ(told.path_position, wanted.path_position) << vocab;
  }
  EXPECT_EQ(told.second_logit, wanted.second_logit) << vocab;
  for (size_t row = 0; row < 5; ++row) {
    if (std::isinf(wanted.logsumexp[row]))
      EXPECT_EQ(told.logsumexp[row], wanted.logsumexp[row]) << vocab;
    else
      EXPECT_NEAR(told.logsumexp[row], wanted.logsumexp[row], 1e-4) << vocab;
  }
}

TEST(CudaRowKernels, TellRowStatisticsAsTheReference) {
  at::manual_seed(8);
  for (const int vocab : {1, 7, 255, 256, 257, 3001, 8192, 20000}) {
    at::Tensor logits = at::randn({5, vocab}) * 5;
    if (vocab > 2) logits[1][vocab - 1] = logits[1][2] = 40;  // equals: the lowest id
    expect_statistics(logits);
  }
}

TEST(CudaRowKernels, ARowWithoutANumberHasAnIdOfTheVocabulary) {
  for (const int vocab : {2, 97, 300, 9000}) {
    at::Tensor logits = at::full({5, vocab}, -INFINITY);
    logits[1][vocab / 2] = 3;
    expect_statistics(logits);
  }
}

/// Kernels of rows between products; `near` times the largest number is the bound.
template <class T>
void expect_rows(at::ScalarType type, double near) {
  at::manual_seed(9);
  const auto ops = make_aten_ops();
  const auto in = [](const at::Tensor& x) { return static_cast<const T*>(x.const_data_ptr()); };
  const auto out = [](at::Tensor& x) { return static_cast<T*>(x.mutable_data_ptr()); };
  const auto expect_near = [&](const at::Tensor& ours, const at::Tensor& wanted) {
    ASSERT_EQ(ours.scalar_type(), wanted.scalar_type());
    const at::Tensor x = ours.to(at::kFloat), y = wanted.to(at::kFloat);
    EXPECT_LE(distance(x, y), near * y.abs().max().item<double>());
  };
  const int rows = 3, width = 300;
  at::Tensor x = at::randn({rows, width}).to(type);
  const at::Tensor weight = at::randn({width}).to(type), more = at::randn({rows, width}).to(type);
  at::Tensor normed = at::empty_like(x), sum = at::empty_like(x);
  run_on_host(NormRows<T>{in(x), nullptr, in(weight), nullptr, out(normed), width, 1e-6f}, rows, 1);
  expect_near(normed, ops->rms_norm(x, weight, 1e-6));
  run_on_host(NormRows<T>{in(x), in(more), in(weight), out(sum), out(normed), width, 1e-6f}, rows,
              1);
  expect_near(normed, ops->add_norm(x, more, weight, 1e-6));
  EXPECT_TRUE(at::equal(sum, x));              // which is x + more now
  const at::Tensor wide = at::randn({width});  // norms that are centred on zero have such weights
  run_on_host(NormRows<T, float>{in(x), nullptr, wide.const_data_ptr<float>(), nullptr, out(normed),
                                 width, 1e-6f},
              rows, 1);
  expect_near(normed, ops->rms_norm(x, wide, 1e-6));

  std::vector<float> angles;
  for (int i = 0; i < rows * kDim / 2; ++i) angles.push_back(0.37f * float(i));
  const Rotary rotary = make_rotary(angles, rows, at::zeros({}));
  const at::Tensor heads = at::randn({rows, kHeads, kDim}).to(type);
  at::Tensor turned = at::empty({rows, kHeads, kDim});
  const at::Tensor cos = rotary.cos.contiguous(), sin = rotary.sin.contiguous();
  run_on_host(RotateRows<T>{in(heads), cos.const_data_ptr<float>(), sin.const_data_ptr<float>(),
                            turned.mutable_data_ptr<float>(), kHeads * kDim, rows, kHeads, kDim},
              (rows * kHeads * kDim + 255) / 256, 1);
  EXPECT_LT(distance(turned, ops->rotate(heads, rotary)), 1e-5);

  const at::Tensor gate_up = at::randn({rows, 2 * width}).to(type);
  at::Tensor gated = at::empty({rows, width}, gate_up.options());
  run_on_host(SwigluRows<T>{in(gate_up), out(gated), rows, width}, (rows * width + 255) / 256, 1);
  expect_near(gated, ops->swiglu(gate_up));
}

TEST(CudaRowKernels, MakeAnglesOfTheBitsOfTheHost) {
  at::manual_seed(16);
  for (const int64_t width : {kDim / 2, kDim}) {  // one angle for both halves, or one each
    const at::Tensor angles = at::randn({5, width}) * 1000;
    const Rotary ours = make_kernel_ops()->rotary(angles, kDim),
                 wanted = make_aten_ops()->rotary(angles, kDim);
    EXPECT_TRUE(at::equal(ours.cos, wanted.cos));
    EXPECT_TRUE(at::equal(ours.sin, wanted.sin));
    const at::Tensor second = angles.narrow(1, width - kDim / 2, kDim / 2);
    EXPECT_LT(distance(ours.cos.narrow(1, kDim / 2, kDim / 2), second.cos()), 1e-6);
  }
}

template <class T>
void expect_turned_heads(at::ScalarType type, double near) {
  at::manual_seed(17);
  const auto ops = make_aten_ops();
  for (const int dim : {16, 80}) {
    const Rotary rotary = ops->rotary(at::randn({7, dim / 2}) * 10, dim);
    at::Tensor qkv = at::randn({7, 3, kHeads, dim}).to(type), wanted = qkv.clone();
    const at::Tensor values = qkv.select(1, 2).clone();
    const TurnHeads<T> kernel{static_cast<T*>(qkv.mutable_data_ptr()),
                              rotary.cos.const_data_ptr<float>(),
                              rotary.sin.const_data_ptr<float>(),
                              7,
                              kHeads,
                              dim};
    run_on_host(kernel, int((kernel.pairs() + 255) / 256), 1);
    ops->turn_heads(wanted, rotary);
    EXPECT_LE(distance(qkv.to(at::kFloat), wanted.to(at::kFloat)), near);
    EXPECT_TRUE(at::equal(qkv.select(1, 2), values));
  }
}

TEST(CudaRowKernels, TurnQueriesAndKeysInPlaceAsTheReference) {
  expect_turned_heads<float>(at::kFloat, 1e-5);
  expect_turned_heads<Bfloat16>(at::kBFloat16, 3.2e-2);  // a last bit of numbers up to 8
}

TEST(CudaRowKernels, NormRotateAndGateAsTheReference) {
  expect_rows<float>(at::kFloat, 1e-5);
  expect_rows<Bfloat16>(at::kBFloat16, 8e-3);  // a number's last bit
}

/// Pages of three layers with random numbers.
std::vector<at::Tensor> random_pages(size_t count, at::ScalarType type) {
  std::vector<at::Tensor> pages;
  while (pages.size() < count) pages.push_back(at::randn({3, 2, kKvHeads, kPage, kDim}).to(type));
  return pages;
}

std::vector<at::Tensor> copies(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> out;
  for (const at::Tensor& tensor : tensors) out.push_back(tensor.clone());
  return out;
}

template <class T>
void expect_appends(at::ScalarType type, double near) {
  at::manual_seed(11);
  const auto ops = make_aten_ops();
  const std::vector<int64_t> slots = {0, 126, 7}, counts = {1, 5, 3};
  std::vector<std::vector<at::Tensor>> pages, wanted;
  std::vector<CacheRows> jobs;
  std::vector<AttentionRows> passes;
  std::vector<int32_t> chain = {-1, 0, 1, 2, 3}, depth = {0, 1, 2, 3, 4};
  int64_t rows = 0;
  for (size_t j = 0; j < 3; ++j) {
    pages.push_back(random_pages(2, type));
    wanted.push_back(copies(pages[j]));
    rows += counts[j];
  }
  for (size_t j = 0; j < 3; ++j) {
    const auto n = size_t(counts[j]);
    jobs.push_back({nullptr, nullptr, slots[j], counts[j], wanted[j], 1});
    passes.push_back(
        {slots[j], std::span(chain).first(n), std::span(depth).first(n), {}, pages[j]});
  }
  AttentionTables tables(passes, kHeads / kKvHeads, TableUse::places);
  tables.pad(int(rows) + 2);
  const at::Tensor qkv = at::randn({rows + 2, (kHeads + 2 * kKvHeads) * kDim}).to(type);
  std::vector<float> angles;
  for (int64_t i = 0; i < (rows + 2) * kDim / 2; ++i) angles.push_back(0.21f * float(i));
  const Rotary rotary = make_rotary(angles, rows + 2, at::zeros({}));
  at::Tensor q = at::empty({rows + 2, kHeads, kDim});
  const RotateAppend<T> kernel{tables.view(),
                               CacheLayer(1, kKvHeads, kDim),
                               static_cast<const T*>(qkv.const_data_ptr()),
                               rotary.cos.const_data_ptr<float>(),
                               rotary.sin.const_data_ptr<float>(),
                               q.mutable_data_ptr<float>(),
                               qkv.stride(0),
                               rows + 2,
                               kHeads,
                               kKvHeads,
                               kDim};
  run_on_host(kernel, int(((rows + 2) * kernel.width() + 255) / 256), 1);
  const auto plan = ops->plan(passes, {}, qkv);
  EXPECT_LT(distance(q, ops->rotate_append(qkv, kHeads, kKvHeads, rotary, jobs, *plan)), 1e-5);
  for (size_t j = 0; j < 3; ++j)
    for (size_t page = 0; page < 2; ++page)
      EXPECT_LE(distance(pages[j][page].to(at::kFloat), wanted[j][page].to(at::kFloat)), near) << j;
}

TEST(CudaRowKernels, TurnAndAppendAsTheReference) {
  expect_appends<float>(at::kFloat, 1e-6);
  expect_appends<Bfloat16>(at::kBFloat16, 2e-2);  // a last bit of numbers up to 4
}

TEST(CudaRowKernels, SelectTheLargestAsTheReference) {
  at::manual_seed(12);
  for (const int n : {1, 7, 255, 256, 1000, 4956})
    for (const int k : {1, 2, n / 4, n}) {
      if (k < 1 || k > n) continue;
      const at::Tensor scores = at::stack({at::randn({n}), at::randint(0, 3, {n}).to(at::kFloat),
                                           at::zeros({n}), at::randn({n}).mul(3).trunc()});
      at::Tensor out = at::full({4, k}, -1, at::kLong);
      run_on_host(SelectTop{scores.const_data_ptr<float>(), out.mutable_data_ptr<int64_t>(), n, k},
                  4, 1);
      EXPECT_TRUE(at::equal(out, make_aten_ops()->top_k(scores, k))) << n << ' ' << k;
    }
}

TEST(CudaRowKernels, WalkTreesAsTheReference) {
  std::mt19937 rng(13);
  for (int round = 0; round < 40; ++round) {
    std::vector<int32_t> token, parent, choice;
    for (size_t job = 0; job < 1 + rng() % 4; ++job) {
      DraftTree tree(int32_t(rng() % 3));
      while (tree.rows() < 1 + rng() % 90) {
        Ids path(1 + rng() % 12);
        for (int32_t& id : path) id = int32_t(rng() % 2);
        tree.insert(path, 0, 1, 90);
      }
      const auto first = int32_t(token.size());
      token.insert(token.end(), tree.token().begin(), tree.token().end());
      for (const int32_t above : tree.parent()) parent.push_back(above < 0 ? -1 : first + above);
    }
    while (choice.size() < token.size()) choice.push_back(int32_t(rng() % 2));
    Ids next(token.size()), place(token.size());
    run_on_host(WalkTrees{choice.data(), token.data(), parent.data(), next.data(), place.data(),
                          int(token.size())},
                1, 1);
    EXPECT_EQ(place, path_positions(choice, token, parent));
  }
}

TEST(CudaRowKernels, NarrowAsTorch) {
  at::manual_seed(10);
  const at::Tensor x = at::cat({at::randn({4000}) * 1e-3, at::randn({4000}) * 1e20,
                                at::tensor({0.0f, -0.0f, 1.00390625f, 1.01171875f, 1e30f})});
  const at::Tensor wanted = x.to(at::kBFloat16);
  const auto* bits = static_cast<const uint16_t*>(wanted.const_data_ptr());
  for (int64_t i = 0; i < x.numel(); ++i)
    EXPECT_EQ(narrow<Bfloat16>(x.const_data_ptr<float>()[i]).bits, bits[i]) << i;
}

TEST(CudaRowKernels, KeepRowsOfAllLayersInPlace) {
  const std::vector<int32_t> from = {126, 127, 130, 255, 256};  // on three pages
  for (const auto type : {at::kFloat, at::kBFloat16}) {
    const std::vector<at::Tensor> pages = random_pages(3, type), wanted = copies(pages);
    std::vector<uint32_t*> memory;
    for (const at::Tensor& page : pages)
      memory.push_back(static_cast<uint32_t*>(page.mutable_data_ptr()));
    make_aten_ops()->gather_pages(wanted, std::vector<int64_t>(from.begin(), from.end()), 125);
    const int width = int(kDim * pages[0].element_size() / 4), columns = 3 * 2 * kKvHeads * width;
    run_on_host(KeepRows{memory.data(), from.data(), columns, 125, int(from.size()), width},
                (columns + KeepRows::kThreads - 1) / KeepRows::kThreads, 1);
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(at::equal(pages[i], wanted[i])) << i;
  }
}

}  // namespace
}  // namespace docspec
