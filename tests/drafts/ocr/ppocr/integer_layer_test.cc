#include "drafts/ocr/ppocr/integer_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "drafts/ocr/ppocr/depthwise.h"

namespace docspec::ppocr {
namespace {

std::vector<float> random_floats(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> out(n);
  for (float& x : out) x = normal(random);
  return out;
}

double activated(double x, LayerActivation activation) {
  if (activation == LayerActivation::relu) return std::max(0.0, x);
  return activation == LayerActivation::gelu ? x * 0.5 * std::erfc(-x / std::sqrt(2.0)) : x;
}

/// With the integers that each kind scales the largest absolute values of rows and weights to.
struct Kind {
  IntegerKind kind;
  double rows, weights;
};

class IntegerLayerTest : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (!multiplies(GetParam().kind)) GTEST_SKIP() << "this processor has no such instructions";
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, IntegerLayerTest,
                         testing::Values(Kind{IntegerKind::int8, 127, 127},
                                         Kind{IntegerKind::int16, 2047, 1023}),
                         [](const auto& info) {
                           return info.param.kind == IntegerKind::int8 ? "Int8" : "Int16";
                         });

TEST_P(IntegerLayerTest, IsTheProductUpToWhatIsRoundedOff) {
  for (const auto& [in, out, rows] :
       {std::array{96, 192, 12}, {384, 96, 7}, {120, 18710 % 512, 12}, {4, 16, 1}, {1024, 16, 3}}) {
    const auto weight = random_floats(size_t(in) * out, 1), bias = random_floats(size_t(out), 2);
    const auto x = random_floats(size_t(rows) * in, 3);
    const IntegerLayer layer(GetParam().kind, weight.data(), bias.data(), out, in);
    std::vector<float> made(size_t(IntegerLayer::kRows) * layer.out_stride());
    for (const auto activation :
         {LayerActivation::none, LayerActivation::relu, LayerActivation::gelu}) {
      layer.run(x.data(), rows, activation, made.data());
      for (int r = 0; r < rows; ++r)
        for (int o = 0; o < out; ++o) {
          double sum = bias[size_t(o)], largest_x = 0, largest_w = 0;
          for (int k = 0; k < in; ++k) {
            const double a = x[size_t(r) * in + k], b = weight[size_t(o) * in + k];
            sum += a * b;
            largest_x = std::max(largest_x, std::abs(a));
            largest_w = std::max(largest_w, std::abs(b));
          }
          // Each of 2 x in numbers is off by at most half a step; 6 deviations of their sum.
          const double step =
              (largest_x / GetParam().rows + largest_w / GetParam().weights) / std::sqrt(12.0);
          EXPECT_NEAR(made[size_t(r) * layer.out_stride() + o], activated(sum, activation),
                      6 * step * std::sqrt(in) + 3e-4)
              << in << " x " << out << ", row " << r << ", output " << o;
        }
    }
  }
}

TEST_P(IntegerLayerTest, TheLargestSumsDoNotOverflow) {
  constexpr int kIn = 1024;
  const std::vector<float> ones(kIn, 1), weight(size_t{16} * kIn, -1), bias(16, 0);
  const IntegerLayer layer(GetParam().kind, weight.data(), bias.data(), 16, kIn);
  std::vector<float> made(size_t(IntegerLayer::kRows) * 16);
  layer.run(ones.data(), 1, LayerActivation::none, made.data());
  for (int o = 0; o < 16; ++o) EXPECT_NEAR(made[size_t(o)], -kIn, 0.01);
}

TEST_P(IntegerLayerTest, ARowDoesNotDependOnTheOthers) {
  constexpr int kIn = 96, kHidden = 192, kRows = 29;
  const auto first = random_floats(kIn * kHidden, 1), second = random_floats(kIn * kHidden, 2);
  const auto bias = random_floats(kHidden, 3), x = random_floats(kRows * kIn, 4);
  const auto factors = random_floats(kIn, 5);
  const IntegerLayer expand(GetParam().kind, first.data(), bias.data(), kHidden, kIn);
  const IntegerLayer reduce(GetParam().kind, second.data(), bias.data(), kIn, kHidden);
  std::vector<float> all(x.size()), one(kIn);
  run_channels(expand, reduce, x.data(), kRows, factors.data(), true, all.data());
  for (int r = 0; r < kRows; ++r) {
    run_channels(expand, reduce, x.data() + r * kIn, 1, factors.data(), true, one.data());
    EXPECT_TRUE(std::equal(one.begin(), one.end(), all.begin() + r * kIn)) << r;
  }
}

TEST(Depthwise, IsOneFilterAChannelWithZerosAround) {
  for (const auto& [side, down, across] :
       {std::array{3, 1, 1}, {3, 2, 2}, {3, 2, 1}, {7, 1, 1}, {3, 1, 2}})
    for (const ImageShape shape : {ImageShape{5, 9, 32}, {1, 2, 16}, {6, 8, 16}}) {
      const int channels = shape.channels;
      const auto x = random_floats(size_t(shape.height) * shape.width * channels, 1);
      const auto weight = random_floats(size_t(side) * side * channels, 2);
      const auto bias = random_floats(size_t(channels), 3);
      const int height = (shape.height - 1) / down + 1, width = (shape.width - 1) / across + 1;
      std::vector<float> out(size_t(height) * width * channels), means(size_t(channels), -1);
      run_depthwise(x.data(), shape, weight.data(), bias.data(), side, down, across, out.data(),
                    means.data());
      for (int c = 0; c < channels; ++c) {
        double mean = 0;
        for (int oy = 0; oy < height; ++oy)
          for (int ox = 0; ox < width; ++ox) {
            double sum = bias[size_t(c)];
            for (int ky = 0; ky < side; ++ky)
              for (int kx = 0; kx < side; ++kx) {
                const int y = oy * down + ky - side / 2, at = ox * across + kx - side / 2;
                if (y < 0 || y >= shape.height || at < 0 || at >= shape.width) continue;
                sum += double(x[(size_t(y) * shape.width + at) * channels + c]) *
                       weight[(size_t(ky) * side + kx) * channels + c];
              }
            EXPECT_NEAR(out[(size_t(oy) * width + ox) * channels + c], sum, 1e-4);
            mean += sum / (height * width);
          }
        EXPECT_NEAR(means[size_t(c)], mean, 1e-4);
      }
    }
}

}  // namespace
}  // namespace docspec::ppocr
