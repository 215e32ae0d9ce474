// Models on a GPU: what transformers says, and the same ids whatever the drafts.
#include <ATen/ATen.h>

#include "tests/gpu/gpu.h"
#include "tests/support/oracle_case.h"
#include "tests/support/real_engine.h"

namespace docspec {
namespace {

/// One checkpoint of each family.
class GpuFamilies : public test::OnGpu, public ::testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Committed, GpuFamilies,
                         ::testing::Values("qwen2_5_vl/hub_tied", "qwen3_vl/hub_tied",
                                           "llava_onevision/hub_tied", "dots_ocr/hub",
                                           "hunyuan_vl/hub_tied", "deepseek_vl_v2/hub",
                                           "deepseek_ocr2/nested", "lighton_ocr/hub_tied",
                                           "glm_ocr/hub", "paddleocr_vl/hub", "qwen2_vl/hub_tied",
                                           "qwen3_5/hub_tied", "unlimited_ocr/hub_tied"));

TEST_P(GpuFamilies, AgreeWithTheReferenceInEveryStage) {
  const test::OracleCase oracle{test::oracle_folder(GetParam())};
  const Vlm vlm = load_vlm(oracle.model(), {"f32", "cuda", test::share_dir()}, *ours_);
  for (int page = 0; page < oracle.pages(); ++page) {
    const test::Parity parity = test::compare(vlm, oracle, page);
    EXPECT_TRUE(parity.prompt_ids) << page;
    EXPECT_LT(parity.vision, 1e-4) << page;
    EXPECT_LT(parity.logits, 1e-3) << page;
    EXPECT_EQ(parity.greedy_equal, 64) << page;
  }
}

TEST_P(GpuFamilies, DifferInBf16OnlyWhereTheModelIsUnsure) {
  const test::OracleCase oracle{test::oracle_folder(GetParam())};
  const Vlm vlm = load_vlm(oracle.model(), {"bf16", "cuda", test::share_dir()}, *ours_);
  const test::Parity parity = test::compare(vlm, oracle, 0);
  EXPECT_LT(parity.logits, 3);  // one expert more or less moves a logit by 2.7
  if (parity.greedy_equal < 64) {
    EXPECT_LT(parity.divergence_margin, 1.5);
  }
}

/// The exactness law on a GPU, over random draft sets.
struct GpuEngine : RealEngine {
  GpuEngine(const std::string& model, const std::string& dtype, std::unique_ptr<Ops> ops)
      : RealEngine(model, dtype, std::move(ops), "cuda") {}
  void TestBody() override {}
  using RealEngine::expect_exact_ids;
  using RealEngine::stats_;
  using RealEngine::vlm_;
};

/// A model of attention alone, and one with recurrent layers.
class GpuExact : public test::OnGpu,
                 public ::testing::WithParamInterface<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Dtypes, GpuExact,
                         ::testing::Values(std::pair{"qwen2_5_vl/hub_tied", "f32"},
                                           std::pair{"qwen2_5_vl/hub_tied", "bf16"},
                                           std::pair{"qwen3_5/hub_tied", "f32"},
                                           std::pair{"qwen3_5/hub_tied", "bf16"}));

TEST_P(GpuExact, HundredRandomDraftSetsKeepThePlainIds) {
  const auto [model, dtype] = GetParam();
  GpuEngine engine(model, dtype, std::move(ours_));
  ASSERT_TRUE(engine.vlm_.language_model().batch_invariant())
      << "the start-up check found that a row's bits depend on the others";
  for (uint32_t seed = 0; seed < 100; ++seed) engine.expect_exact_ids(seed);
  EXPECT_GT(engine.stats_.accepted, 200);
}

}  // namespace
}  // namespace docspec
