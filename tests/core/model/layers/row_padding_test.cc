#include "core/model/layers/row_padding.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/model/families/registry.h"
#include "core/ops/ops.h"
#include "tests/support/files.h"
#include "tests/support/forwarding_ops.h"
#include "tests/support/oracle_case.h"

namespace docspec {
namespace {

/// A step whose rows have bits of their own at multiples of `from` alone.
RowCheck own_from(int64_t from) {
  return [from](int64_t rows, int64_t, bool) {
    return at::full({rows, 3}, rows % from == 0 ? 1.0 : 1.0 + 1e-6);
  };
}

TEST(RowPadding, IsTheLeastMultipleAtWhichEveryStepHolds) {
  const auto found = [](std::vector<int64_t> from, int64_t least) {
    std::vector<RowCheck> checks;
    for (const int64_t n : from) checks.push_back(own_from(n));
    return find_row_padding(checks, least);
  };
  EXPECT_EQ(found({1, 8}, 8).multiple, 8);
  EXPECT_EQ(found({1, 32, 16}, 8).multiple, 32);
  EXPECT_EQ(found({1}, 64).multiple, 64);
  EXPECT_TRUE(found({64}, 8).exact);
  EXPECT_FALSE(found({128}, 8).exact);
}

TEST(RowPadding, FindsThatARowsPlaceMatters) {
  const RowCheck by_place =
      check_of_product(4, at::zeros({1, 4}), [](const at::Tensor& x, int64_t) {
        return x + at::arange(x.size(0)).unsqueeze(1).to(x.scalar_type());
      });
  EXPECT_FALSE(find_row_padding(std::span(&by_place, 1), 8).exact);
}

/// Operations of which one gives a row other bits in passes of more than 64 rows.
class Dependent : public ForwardingOps {
 public:
  enum class Where { joined, logits, attention, nowhere };
  explicit Dependent(Where where) : ForwardingOps(make_aten_ops()), where_(where) {}

  at::Tensor linear(const at::Tensor& x, std::span<const Linear* const> layers) const override {
    const bool here = where_ == Where::joined && layers.size() == 3;
    return nudged(ops_.linear(x, layers), here);
  }
  at::Tensor logits(const at::Tensor& x, const Linear& head) const override {
    // Of the last outputs alone, which a cut head leaves out.
    at::Tensor out = ops_.logits(x, head);
    out.narrow(1, out.size(1) - 1, 1)
        .copy_(nudged(out.narrow(1, out.size(1) - 1, 1).clone(), where_ == Where::logits));
    return out;
  }
  at::Tensor attention(const at::Tensor& q, std::span<const CacheRows> caches,
                       const AttentionPlan& plan, AttentionWeights* weights) const override {
    return nudged(ops_.attention(q, caches, plan, weights), where_ == Where::attention);
  }

 private:
  static at::Tensor nudged(const at::Tensor& x, bool here) {
    return here && x.size(0) > 64 ? x * 1.0001 : x;
  }
  const Where where_;
};

/// The check at start runs what a pass runs.
TEST(RowPadding, AModelIsBatchInvariantOnlyIfItsJoinedProductsItsHeadAndItsAttentionAre) {
  const auto holds = [](Dependent::Where where) {
    const Dependent ops(where);
    const Vlm vlm = load_vlm(test::oracle_folder("qwen2_5_vl/hub_tied/model"),
                             {.dtype = "f32", .share = test::share_dir()}, ops);
    return vlm.language_model().batch_invariant();
  };
  EXPECT_TRUE(holds(Dependent::Where::nowhere));
  EXPECT_FALSE(holds(Dependent::Where::joined));
  EXPECT_FALSE(holds(Dependent::Where::logits));
  EXPECT_FALSE(holds(Dependent::Where::attention));
}

}  // namespace
}  // namespace docspec
