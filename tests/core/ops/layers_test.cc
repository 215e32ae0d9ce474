#include "core/ops/layers.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>

namespace docspec {
namespace {

TEST(WideProduct, EqualsTheProductOfWidenedWeights) {
  at::manual_seed(5);
  for (const int64_t outputs : {1, 7, 255, 256, 257, 1000}) {  // below, at and off whole blocks
    const at::Tensor x = at::randn({5, 96}).to(at::kBFloat16);
    const at::Tensor weight = at::randn({outputs, 96}).to(at::kBFloat16);
    const at::Tensor wanted = at::linear(x.to(at::kDouble), weight.to(at::kDouble));
    const at::Tensor out = wide_product(x, weight);
    ASSERT_EQ(out.scalar_type(), at::kFloat);
    EXPECT_LT((out - wanted).abs().max().item<double>(), 1e-4) << outputs << " outputs";
    EXPECT_TRUE(at::equal(wide_product(x, weight), out));
  }
}

TEST(WideProduct, OfF32WeightsIsThePlainProduct) {
  const at::Tensor x = at::randn({8, 32}), weight = at::randn({300, 32});
  EXPECT_TRUE(at::equal(wide_product(x, weight), at::linear(x, weight)));
}

TEST(Join, MakesLayersOfOneInputOneProduct) {
  at::manual_seed(6);
  for (const bool biased : {false, true}) {
    const auto layer = [&](int64_t out) {
      return Linear{at::randn({out, 96}), biased ? at::randn({out}) : at::Tensor(), {}, {}};
    };
    Linear a = layer(64), b = layer(16), c = layer(7);
    const at::Tensor x = at::randn({5, 96}), wanted = at::cat({a(x), b(x), c(x)}, 1);
    EXPECT_FALSE(joined(std::array<const Linear*, 3>{&a, &b, &c}).weight.defined());
    join(std::array{&a, &b, &c});
    const Linear one = joined(std::array<const Linear*, 3>{&a, &b, &c});
    ASSERT_TRUE(one.weight.defined());
    EXPECT_EQ(one.weight.size(0), 87);
    EXPECT_LT((one(x) - wanted).abs().max().item<double>(), 1e-4);
    EXPECT_LT((at::cat({a(x), b(x), c(x)}, 1) - wanted).abs().max().item<double>(), 1e-4);
    EXPECT_FALSE(joined(std::array<const Linear*, 2>{&a, &c}).weight.defined());  // not neighbours
    EXPECT_FALSE(joined(std::array<const Linear*, 2>{&b, &a}).weight.defined());
  }
}

TEST(Join, LeavesQuantizedLayersAlone) {
  Linear a = quantized({at::randn({8, 16}), {}, {}, {}}),
         b = quantized({at::randn({8, 16}), {}, {}, {}});
  const at::Tensor before = a.weight;
  join(std::array{&a, &b});
  EXPECT_TRUE(a.weight.is_same(before));
  EXPECT_FALSE(joined(std::array<const Linear*, 2>{&a, &b}).weight.defined());
}

TEST(InTiles, JoinsWhatEachTileGives) {
  const at::Tensor x = at::arange(2 * kTileRows + 5, at::kFloat).view({-1, 1});
  std::vector<int64_t> tiles;
  const at::Tensor out = in_tiles(x, [&](const at::Tensor& rows, int64_t first) {
    EXPECT_EQ(rows[0].item<float>(), float(first));
    tiles.push_back(rows.size(0));
    return at::cat({rows, rows * 2}, 1);
  });
  EXPECT_TRUE(at::equal(out, at::cat({x, x * 2}, 1)));
  EXPECT_EQ(tiles, (std::vector<int64_t>{kTileRows, kTileRows, 5}));
}

}  // namespace
}  // namespace docspec
