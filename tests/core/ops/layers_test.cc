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

/// The largest difference of bf16 `x` from `wanted`, in units of the last place of either.
double units_off(const at::Tensor& x, const at::Tensor& wanted) {
  constexpr double kUnit = 1.0 / 128;
  EXPECT_EQ(x.scalar_type(), at::kBFloat16);
  const at::Tensor size = wanted.abs().to(at::kDouble).clamp_min(1e-2);
  return ((x.to(at::kDouble) - wanted.to(at::kDouble)).abs() / size / kUnit).max().item<double>();
}

TEST(ShortRows, AreThoseOfF32Rounded) {
  at::manual_seed(7);
  for (const int64_t d : {16, 80, 1280, 3420}) {  // whole registers and not
    const at::Tensor wide = 4 * at::randn({70, 2 * d});
    const at::Tensor x = wide.to(at::kBFloat16), weight = at::randn({d}).to(at::kBFloat16);
    const at::Tensor a = x.narrow(1, 0, d), b = x.narrow(1, d, d);  // rows apart in memory
    const at::Tensor a32 = a.to(at::kFloat), b32 = b.to(at::kFloat);
    const RmsNorm norm{weight, 1e-6}, norm32{weight.to(at::kFloat), 1e-6};
    EXPECT_LT(units_off(norm(a), norm32(a32)), 0.51) << d;
    EXPECT_LT(units_off(silu_product(a, b), silu_product(a32, b32)), 0.51) << d;
    EXPECT_TRUE(at::equal(norm(a).narrow(0, 3, 1), norm(a.narrow(0, 3, 1)))) << d;
    EXPECT_TRUE(at::equal(silu_product(a, b).narrow(0, 3, 1),
                          silu_product(a.narrow(0, 3, 1), b.narrow(0, 3, 1))))
        << d;
  }
}

TEST(ShortRows, TurnAsThoseOfF32Rounded) {
  at::manual_seed(8);
  for (const int64_t dim : {64, 80, 128}) {
    const at::Tensor qkv = at::randn({70, 3, 4, dim}).to(at::kBFloat16), k = qkv.select(1, 1);
    const Rotary turn = make_rotary(at::randn({70, dim / 2}), dim);
    const at::Tensor out = rotate_rounded(k, turn);
    EXPECT_LT(units_off(out, rotate(k, turn)), 0.51) << dim;
    ASSERT_EQ(out.sizes(), k.sizes());
  }
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
