#include "tests/support/window_decoding.h"

namespace docspec {
namespace {

TEST_F(WindowDecoding, RandomDraftSetsKeepThePlainIds) {
  for (uint32_t seed = 0; seed < 40; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 100);
}

TEST_F(WindowDecoding, RandomDraftSetsKeepTheIdsOfTheRuleInAWindow) {
  expect_exact_ids_under_the_rule(0, 20);
}

}  // namespace
}  // namespace docspec
