// Attention of all patches of an image to all, in bf16, beside ATen's in f64.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/ops/cpu/attention/cpu_full_attention.h"
#include "core/ops/ops.h"
#include "tests/support/same_bits.h"

namespace docspec {
namespace {

TEST(FullAttention, IsTheSoftmaxOfItsScores) {
  at::manual_seed(7);
  const auto ops = make_cpu_ops();
  for (const int64_t dim : {16, 64, 72, 80, 128})
    for (const int64_t rows : {1, 7, 40, 300, 1100})
      for (const int64_t windows : {1, 3}) {
        if (windows * rows > 1200) continue;
        // As a tower has them: views of the products of all three.
        const at::Tensor qkv = at::randn({windows * rows, 3, 2, dim}).to(at::kBFloat16);
        const auto part = [&](int64_t i) {
          return qkv.select(1, i).view({windows, rows, 2, dim}).transpose(1, 2);
        };
        const at::Tensor got = ops->full_attention(part(0), part(1), part(2));
        const at::Tensor want = at::scaled_dot_product_attention(
            part(0).to(at::kDouble), part(1).to(at::kDouble), part(2).to(at::kDouble));
        ASSERT_EQ(got.sizes(), want.sizes());
        EXPECT_LT((got.to(at::kDouble) - want).abs().max().item<double>(), 0.02)
            << "heads of " << dim << ", rows " << rows << ", windows " << windows;
      }
}

TEST(FullAttention, ARowHasTheSameBitsInAnyShare) {
  constexpr int64_t kRows = 133, kDim = 64;
  if (!full_attention_takes(kDim)) GTEST_SKIP() << "this processor does not multiply pairs of bf16";
  at::manual_seed(8);
  const at::Tensor qkv = at::randn({3, kRows, kDim}).to(at::kBFloat16);
  const auto bits = [](const at::Tensor& x) {
    return reinterpret_cast<uint16_t*>(x.mutable_data_ptr<at::BFloat16>());
  };
  at::Tensor whole = at::zeros({kRows, kDim}, at::kBFloat16), parts = at::zeros_like(whole);
  FullAttention head{bits(qkv[0]), bits(qkv[1]), bits(qkv[2]), kDim,  kDim,
                     kDim,         bits(whole),  kDim,         kRows, kDim};
  PackedHead packed;
  pack_head(head, packed);
  attend_fully(head, packed, 0, kRows);
  head.out = bits(parts);
  for (const int64_t first : {0, 8, 64, 72}) {
    const int64_t last = first == 0 ? 8 : first == 8 ? 64 : first == 64 ? 72 : kRows;
    attend_fully(head, packed, first, last);
  }
  EXPECT_TRUE(same_bits(whole, parts));
}

}  // namespace
}  // namespace docspec
