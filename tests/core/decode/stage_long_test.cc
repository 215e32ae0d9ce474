#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "tests/support/real_engine.h"

namespace docspec {
namespace {

class StageLong : public RealEngine {};

TEST_F(StageLong, FiveHundredDraftSetsNeverChangeTheIds) {
  for (uint32_t seed = 20000; seed < 20500; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 5000);
}

}  // namespace
}  // namespace docspec
