#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "tests/support/real_stages.h"

namespace docspec {
namespace {

class StageLong : public RealStages {};

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

}  // namespace
}  // namespace docspec
