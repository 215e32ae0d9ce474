// The CUDA kernels of rows, run on the host thread by thread, against the ATen reference.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/model/layers.h"
#include "core/ops.h"
#include "cuda/rows.cuh"

namespace docspec {
namespace {

using namespace cuda;

constexpr int kDim = 16, kHeads = 6, kKvHeads = 2;

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

TEST(CudaRowKernels, TellRowStatisticsAsTheReference) {
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
  EXPECT_TRUE(at::equal(sum, x));  // which is x + more now

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

TEST(CudaRowKernels, NormRotateAndGateAsTheReference) {
  expect_rows<float>(at::kFloat, 1e-5);
  expect_rows<Bfloat16>(at::kBFloat16, 8e-3);  // a number's last bit
}

template <class T>
void expect_appends(at::ScalarType type, double near) {
  at::manual_seed(11);
  const auto ops = make_aten_ops();
  const std::vector<int64_t> slots = {0, 70, 7}, counts = {1, 5, 3};
  std::vector<at::Tensor> caches, wanted;
  for (int i = 0; i < 6; ++i) {
    caches.push_back(at::randn({kKvHeads, 128, kDim}).to(type));
    wanted.push_back(caches.back().clone());
  }
  std::vector<NewRows> jobs;
  Appends to{};
  int64_t rows = 0;
  for (size_t j = 0; j < 3; ++j) {
    jobs.push_back({&wanted[2 * j], &wanted[2 * j + 1], slots[j], counts[j]});
    rows += counts[j];
    to.keys[j] = caches[2 * j].mutable_data_ptr();
    to.values[j] = caches[2 * j + 1].mutable_data_ptr();
    to.head_stride[j] = 128 * kDim;
    to.slot[j] = int32_t(slots[j]);
    to.end[j] = int32_t(rows);
  }
  const at::Tensor qkv = at::randn({rows, (kHeads + 2 * kKvHeads) * kDim}).to(type);
  std::vector<float> angles;
  for (int64_t i = 0; i < rows * kDim / 2; ++i) angles.push_back(0.21f * float(i));
  const Rotary rotary = make_rotary(angles, rows, at::zeros({}));
  at::Tensor q = at::empty({rows, kHeads, kDim});
  const RotateAppend<T> kernel{static_cast<const T*>(qkv.const_data_ptr()),
                               rotary.cos.const_data_ptr<float>(),
                               rotary.sin.const_data_ptr<float>(),
                               q.mutable_data_ptr<float>(),
                               qkv.stride(0),
                               rows,
                               kHeads,
                               kKvHeads,
                               kDim,
                               to};
  run_on_host(kernel, int((rows * kernel.width() + 255) / 256), 1);
  EXPECT_LT(distance(q, ops->rotate_append(qkv, kHeads, kKvHeads, rotary, jobs)), 1e-5);
  for (size_t i = 0; i < caches.size(); ++i)
    EXPECT_LE(distance(caches[i].to(at::kFloat), wanted[i].to(at::kFloat)), near) << i;
}

TEST(CudaRowKernels, TurnAndAppendAsTheReference) {
  expect_appends<float>(at::kFloat, 1e-6);
  expect_appends<Bfloat16>(at::kBFloat16, 2e-2);  // a last bit of numbers up to 4
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

TEST(CudaRowKernels, KeepRowsOfAllCachesInPlace) {
  const std::vector<int64_t> from = {51, 52, 55, 60, 61};
  for (const auto type : {at::kFloat, at::kBFloat16}) {
    std::vector<at::Tensor> caches, wanted;
    std::vector<uint32_t*> memory;
    for (int i = 0; i < 3; ++i) {
      caches.push_back(at::randn({2, 128, kDim}).to(type));
      wanted.push_back(caches.back().clone());
      memory.push_back(static_cast<uint32_t*>(caches.back().mutable_data_ptr()));
    }
    make_aten_ops()->gather_rows(wanted, from, 50);
    const int width = int(kDim * caches[0].element_size() / 4);
    run_on_host(KeepRows{memory.data(), from.data(), 128, 50, 2 * width, int(from.size()), width},
                1, 3);
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(at::equal(caches[i], wanted[i])) << i;
  }
}

}  // namespace
}  // namespace docspec
