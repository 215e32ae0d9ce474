#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "tests/support/real_stages.h"

namespace docspec {
namespace {

class StageLong : public RealStages {};

/// A model for regions, whose own layer for further tokens is among the proposers.
class GlmOcrLong : public RealStages {
 protected:
  GlmOcrLong() : RealStages("glm_ocr/hub") {}
};

TEST_F(GlmOcrLong, FiveHundredDraftSetsBesideItsOwnLayerNeverChangeTheIds) {
  for (uint32_t seed = 60000; seed < 60500; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 3000);
  EXPECT_GT(stats_.by_source["mtp"].proposed, 500);
}

TEST_F(StageLong, FiveHundredDraftSetsNeverChangeTheIds) {
  for (uint32_t seed = 20000; seed < 20500; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 5000);
}

TEST_F(StageLong, FiveHundredDraftTextsNeverChangeTheIdsOfEitherStage) {
  for (uint32_t seed = 30000; seed < 30500; ++seed) expect_same_ids(seed);
  for (const auto& [stage, stats] : stage_stats_) {
    EXPECT_GT(stats.rows, 3 * stats.passes) << (stage == Stage::page ? "page" : "region");
    EXPECT_GT(stats.accepted, 1000) << (stage == Stage::page ? "page" : "region");
  }
}

template <int family>
class FamilyLong : public RealStages {
 protected:
  static constexpr const char* kModels[] = {
      "dots_ocr/hub",        "qwen3_vl/nested",      "llava_onevision/hub_tied",
      "hunyuan_vl/hub_tied", "deepseek_ocr2/nested", "deepseek_vl_v2/hub",
      "qwen2_vl/hub_tied",   "qwen3_5/nested"};
  FamilyLong() : RealStages(kModels[family]) {}
  void expect_all() {
    for (uint32_t seed = 40000; seed < 40200; ++seed) expect_exact_ids(seed);
    EXPECT_GT(stats_.accepted, 1000);
    for (uint32_t seed = 50000; seed < 50006; ++seed) expect_same_ids(seed);  // vision of each crop
  }
};
using DotsOcrLong = FamilyLong<0>;
using Qwen3Long = FamilyLong<1>;
using LlavaLong = FamilyLong<2>;
using HunyuanLong = FamilyLong<3>;
using DeepseekOcr2Long = FamilyLong<4>;
using DeepseekOcrLong = FamilyLong<5>;
using Qwen2Long = FamilyLong<6>;
using Qwen35Long = FamilyLong<7>;

TEST_F(DotsOcrLong, TwoHundredDraftSetsNeverChangeTheIds) {
  expect_all();
}
TEST_F(Qwen3Long, TwoHundredDraftSetsNeverChangeTheIds) {
  expect_all();
}
TEST_F(Qwen2Long, TwoHundredDraftSetsNeverChangeTheIds) {
  expect_all();
}
TEST_F(Qwen35Long, TwoHundredDraftSetsNeverChangeTheIds) {
  expect_all();
}
TEST_F(LlavaLong, TwoHundredDraftSetsNeverChangeTheIds) {
  expect_all();
}
TEST_F(HunyuanLong, TwoHundredDraftSetsNeverChangeTheIds) {
  expect_all();
}
TEST_F(DeepseekOcr2Long, TwoHundredDraftSetsNeverChangeTheIds) {
  expect_all();
}
TEST_F(DeepseekOcrLong, TwoHundredDraftSetsNeverChangeTheIds) {
  expect_all();
}

}  // namespace
}  // namespace docspec
