#include <gtest/gtest.h>

#include "tests/support/real_engine.h"

namespace docspec {
namespace {

/// Numerics of their own, exact in themselves: a hundred sets of random drafts (int4: five
/// hundred), batches of one to four jobs, every proposer, equal to plain decoding in the same
/// dtype.
class Int8Long : public RealEngine {
 protected:
  Int8Long() : RealEngine("qwen2_5_vl/hub_tied", "int8") {}
};
class Int4Long : public RealEngine {
 protected:
  Int4Long() : RealEngine("qwen2_5_vl/hub_tied", "int4") {}
};
class Bf16Long : public RealEngine {
 protected:
  Bf16Long() : RealEngine("qwen2_5_vl/hub_tied", "bf16") {}
};

TEST_F(Int8Long, AHundredDraftSetsNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 100; ++seed) expect_exact_ids(seed);
}

TEST_F(Int4Long, FiveHundredDraftSetsNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 500; ++seed) expect_exact_ids(seed);
}

TEST_F(Bf16Long, AHundredDraftSetsNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 100; ++seed) expect_exact_ids(seed);
}

}  // namespace
}  // namespace docspec
