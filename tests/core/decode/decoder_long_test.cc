#include <gtest/gtest.h>

#include "core/decode/registry.h"
#include "tests/support/decode_laws.h"

namespace docspec {
namespace {

TEST(DecoderLong, FiveHundredDraftSetsNeverChangeTheOutput) {
  int64_t accepted = 0;
  for (uint32_t seed = 10000; seed < 10500; ++seed) accepted += expect_exact(seed);
  EXPECT_GT(accepted, 5000);
}

TEST(DecoderLong, NoProposerNorAllTogetherChangeTheOutputOfFiveHundredDraftSets) {
  std::vector<std::string> lists = {automatic(proposers())};
  for (const auto& entry : proposers()) lists.emplace_back(entry.name);
  for (const std::string& propose : lists) {
    int64_t accepted = 0;
    for (uint32_t seed = 50000; seed < 50500; ++seed) accepted += expect_exact(seed, propose);
    // The first two need a tokenizer, mtp a model with its own layer (mtp_session_test.cc).
    if (propose == "template" || propose == "box" || propose == "mtp") continue;
    EXPECT_GT(accepted, 2000) << propose;
  }
}

}  // namespace
}  // namespace docspec
