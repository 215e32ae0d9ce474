#include "drafts/ocr/ppocr/layers/integer_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "drafts/ocr/ppocr/layers/depthwise.h"
#include "drafts/ocr/ppocr/layers/patches.h"

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
                         testing::Values(Kind{IntegerKind::int8_tiles, 127, 127},
                                         Kind{IntegerKind::int8, 127, 127},
                                         Kind{IntegerKind::int16, 2047, 1023}),
                         [](const auto& info) {
                           return info.param.kind == IntegerKind::int8_tiles ? "Int8Tiles"
                                  : info.param.kind == IntegerKind::int8     ? "Int8"
                                                                             : "Int16";
                         });

TEST_P(IntegerLayerTest, IsTheProductUpToWhatIsRoundedOff) {
  for (const auto& [in, out, rows] :
       {std::array{96, 192, 12}, {384, 96, 7}, {120, 18710 % 512, 12}, {4, 16, 1}, {1024, 16, 3}}) {
    const auto weight = random_floats(size_t(in) * out, 1), bias = random_floats(size_t(out), 2);
    const auto x = random_floats(size_t(rows) * in, 3);
    const IntegerLayer layer(GetParam().kind, weight.data(), bias.data(), out, in);
    std::vector<float> made(size_t(IntegerLayer::kRows) * layer.width());
    for (const auto activation :
         {LayerActivation::none, LayerActivation::relu, LayerActivation::gelu}) {
      layer.run(x.data(), rows, activation, {made.data(), layer.width()});
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
          EXPECT_NEAR(made[size_t(r) * layer.width() + o], activated(sum, activation),
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
  layer.run(ones.data(), 1, LayerActivation::none, {made.data(), 16});
  for (int o = 0; o < 16; ++o) EXPECT_NEAR(made[size_t(o)], -kIn, 0.01);
}

TEST_P(IntegerLayerTest, ARowDoesNotDependOnTheOthers) {
  constexpr int kIn = 96, kHidden = 192, kRows = IntegerLayer::kRows + 5;
  const auto first = random_floats(kIn * kHidden, 1), second = random_floats(kIn * kHidden, 2);
  const auto bias = random_floats(kHidden, 3), x = random_floats(kRows * kIn, 4);
  const auto factors = random_floats(kIn, 5);
  const IntegerLayer expand(GetParam().kind, first.data(), bias.data(), kHidden, kIn);
  const IntegerLayer reduce(GetParam().kind, second.data(), bias.data(), kIn, kHidden);
  std::vector<float> all = x, apart(x.size());
  run_channels(expand, reduce, all.data(), kRows, factors.data(), all.data());
  for (int r = 0; r < kRows; ++r) {
    std::vector<float> one(x.begin() + r * kIn, x.begin() + (r + 1) * kIn);
    run_channels(expand, reduce, one.data(), 1, factors.data(), apart.data() + r * kIn);
    for (int i = 0; i < kIn; ++i)
      EXPECT_EQ(one[size_t(i)] + apart[size_t(r * kIn + i)], all[size_t(r * kIn + i)]) << r;
  }
}

TEST_P(IntegerLayerTest, WritesItsRowsAlone) {
  constexpr int kIn = 32, kOut = 20, kStride = 48, kRows = 7;
  const auto weight = random_floats(kOut * kIn, 1), bias = random_floats(kOut, 2);
  const auto x = random_floats(kRows * kIn, 3);
  const IntegerLayer layer(GetParam().kind, weight.data(), bias.data(), kOut, kIn);
  std::vector<float> made(size_t{IntegerLayer::kRows} * kStride, 7);
  layer.run(x.data(), kRows, LayerActivation::none, {made.data(), kStride});
  for (int r = 0; r < IntegerLayer::kRows; ++r)
    for (int o = kOut; o < kStride; ++o)
      EXPECT_EQ(made[size_t(r * kStride + o)], r < kRows && o < layer.width() ? 0 : 7) << r;
}

TEST(IntegerTiles, OutputsAreThoseWithoutTiles) {
  if (!multiplies(IntegerKind::int8_tiles)) GTEST_SKIP() << "this processor has no such tiles";
  for (const auto& [in, out, rows] :
       {std::array{28, 48, 48}, {96, 80, 33}, {120, 1000, 17}, {864, 48, 16}, {1024, 16, 1}}) {
    const auto weight = random_floats(size_t(in) * out, 1), bias = random_floats(size_t(out), 2);
    const auto x = random_floats(size_t(rows) * in, 3);
    std::vector<float> made[2];
    for (const auto kind : {IntegerKind::int8_tiles, IntegerKind::int8}) {
      const IntegerLayer layer(kind, weight.data(), bias.data(), out, in);
      auto& to = made[kind == IntegerKind::int8];
      to.resize(size_t(rows) * layer.width());
      layer.run(x.data(), rows, LayerActivation::gelu, {to.data(), layer.width()});
    }
    EXPECT_EQ(made[0], made[1]) << in << " x " << out << ", " << rows << " rows";
  }
}

TEST_P(IntegerLayerTest, PatchesMakeAConvolutionWithZerosAround) {
  for (const PatchShape patch : {PatchShape{3, 2, 1}, {2, 1, 0}})
    for (const ImageShape shape : {ImageShape{5, 9, 16}, {48, 7, 4}, {6, 1, 32}}) {
      constexpr int kOut = 16;
      const int side = patch.side, channels = shape.channels, in = side * side * channels;
      const auto x = random_floats(size_t(shape.height) * shape.width * channels, 1);
      const auto weight = random_floats(size_t(kOut) * in, 2), bias = random_floats(kOut, 3);
      const IntegerLayer layer(GetParam().kind, weight.data(), bias.data(), kOut, in);
      const int height = (shape.height - 1) / patch.stride + 1;
      const int width = (shape.width - 1) / patch.stride + 1;
      std::vector<float> out(size_t(height) * width * kOut), one(kOut), row(size_t(in), 0);
      for (int y = 0; y < height; ++y) {
        std::vector<const float*> lines;
        for (int k = 0; k < side; ++k) {
          const int from = y * patch.stride + k - patch.before;
          const bool inside = from >= 0 && from < shape.height;
          lines.push_back(inside ? x.data() + size_t(from) * shape.width * channels : nullptr);
        }
        run_patches(layer, lines.data(), shape, patch, LayerActivation::relu,
                    {out.data() + size_t(y) * width * kOut, kOut});
      }
      for (int oy = 0; oy < height; ++oy)
        for (int ox = 0; ox < width; ++ox) {
          for (int i = 0; i < in; ++i) {
            const int y = oy * patch.stride + i / channels / side - patch.before;
            const int at = ox * patch.stride + i / channels % side - patch.before;
            const bool inside = y >= 0 && y < shape.height && at >= 0 && at < shape.width;
            row[size_t(i)] =
                inside ? x[(size_t(y) * shape.width + at) * channels + i % channels] : 0;
          }
          layer.run(row.data(), 1, LayerActivation::relu, {one.data(), kOut});
          EXPECT_TRUE(std::equal(one.begin(), one.end(),
                                 out.begin() + (std::ptrdiff_t(oy) * width + ox) * kOut));
        }
    }
}

TEST(Patches, TheLargestOfFourPixels) {
  const ImageShape shape = {5, 3, 16};
  const auto x = random_floats(5 * 3 * 16, 1);
  std::vector<float> out(5 * 3 * 40, -1);
  for (int y = 0; y < shape.height; ++y) {
    const float* const line = x.data() + y * 3 * 16;
    run_largest_of_four(line, y + 1 < shape.height ? line + 3 * 16 : nullptr, shape,
                        out.data() + y * 3 * 40, 40);
  }
  for (int y = 0; y < shape.height; ++y)
    for (int at = 0; at < shape.width; ++at)
      for (int c = 0; c < shape.channels; ++c) {
        float most = x[size_t((y * 3 + at) * 16 + c)];
        for (const auto& [down, right] : {std::pair{0, 1}, {1, 0}, {1, 1}}) {
          const bool inside = y + down < shape.height && at + right < shape.width;
          most = std::max(most, inside ? x[size_t(((y + down) * 3 + at + right) * 16 + c)] : 0);
        }
        EXPECT_EQ(out[size_t((y * 3 + at) * 40 + c)], most);
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
      run_depthwise(x.data(), shape, {weight.data(), bias.data(), side, down, across}, out.data(),
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
