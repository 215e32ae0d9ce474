#include <gtest/gtest.h>

#include "tests/support/decode_laws.h"

namespace docspec {
namespace {

TEST(DecoderLong, FiveHundredDraftSetsNeverChangeTheOutput) {
  int64_t accepted = 0;
  for (uint32_t seed = 10000; seed < 10500; ++seed) accepted += expect_exact(seed);
  EXPECT_GT(accepted, 5000);
}

}  // namespace
}  // namespace docspec
