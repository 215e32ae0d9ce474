#include "core/model/layers.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

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
