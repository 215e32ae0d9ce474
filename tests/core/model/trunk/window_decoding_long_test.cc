#include "tests/support/window_decoding.h"

namespace docspec {
namespace {

class WindowDecodingLong : public WindowDecoding {};

TEST_F(WindowDecodingLong, FiveHundredDraftSetsKeepThePlainIds) {
  for (uint32_t seed = 70000; seed < 70500; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 3000);
}

TEST_F(WindowDecodingLong, FiveHundredDraftSetsKeepTheIdsOfTheRuleInAWindow) {
  expect_exact_ids_under_the_rule(70000, 70500);
  EXPECT_GT(stats_.accepted, 1000);
}

}  // namespace
}  // namespace docspec
