#include "core/ops/flops.h"

#include <gtest/gtest.h>

#include <cmath>

namespace docspec {
namespace {

struct Model {
  int64_t layers, hidden;
};
constexpr Model kQwen{36, 2048}, kDots{27, 1536};

/// GFLOPs of a step over a prefix that is all image; keep 1 = without fixation.
double gflops(const Model& model, int64_t batch, int64_t prefix, double keep,
              FullLayers convention) {
  AttentionCost cost{model.layers, model.hidden, batch, prefix, prefix, model.layers, 0};
  if (keep < 1) {
    cost.full_layers = full_layers(0.1, model.layers, convention);
    cost.kept = int64_t(std::ceil(keep * double(prefix) - 1e-9));
  }
  return attention_flops(cost) / 1e9;
}

TEST(AttentionFlops, AreThoseOfThePapersTableOfQuality) {  // batch 8, 4096
  const auto of = [](const Model& model, double keep) {
    return gflops(model, 8, 4096, keep, FullLayers::focal_and_first);
  };
  EXPECT_NEAR(of(kQwen, 1), 19.33, 0.005);
  EXPECT_NEAR(of(kQwen, 0.25), 12.885, 0.0005);
  EXPECT_NEAR(of(kQwen, 0.05), 11.167, 0.0005);
  EXPECT_NEAR(of(kDots, 1), 9.513, 0.0005);
  EXPECT_NEAR(of(kDots, 0.25), 5.889, 0.0005);
  EXPECT_NEAR(of(kDots, 0.05), 4.922, 0.001);
}

TEST(AttentionFlops, AreThoseOfThePapersTableOfLatency) {
  const auto of = [](const Model& model, int64_t batch, int64_t prefix, double keep) {
    return gflops(model, batch, prefix, keep, FullLayers::focal);
  };
  EXPECT_NEAR(of(kQwen, 12, 4096, 1), 28.99, 0.005);
  EXPECT_NEAR(of(kQwen, 12, 4096, 0.05), 16.37, 0.005);
  EXPECT_NEAR(of(kQwen, 4, 8192, 1), 14.50, 0.005);
  EXPECT_NEAR(of(kQwen, 4, 8192, 0.05), 6.08, 0.005);
  EXPECT_NEAR(of(kDots, 12, 4096, 1), 14.27, 0.005);
  EXPECT_NEAR(of(kDots, 12, 4096, 0.05), 7.10, 0.005);
  EXPECT_NEAR(of(kDots, 4, 8192, 1), 7.47, 0.005);
  EXPECT_NEAR(of(kDots, 4, 8192, 0.05), 2.69, 0.005);
}

}  // namespace
}  // namespace docspec
