#include "core/document/decode_stats.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace docspec {
namespace {

TEST(DecodeStats, WorkedExampleOfAcceptedLengths) {
  DecodeStats page;  // algorithms.md 1.7: a = 2, 0, 5, 1; the second pass had no tree
  for (int accepted : {2, 0, 5, 1}) {
    DecodeStats step;
    step.passes = 1;
    step.tree_passes = accepted > 0;
    step.accepted = accepted;
    step.emitted = accepted + 1;
    step.by_source["tesseract"] = {6, accepted};
    step.phase_ms["forward"] = 1.5;
    page += step;
  }
  EXPECT_DOUBLE_EQ(page.aal_all(), 2.0);
  EXPECT_DOUBLE_EQ(page.aal_tree(), 8.0 / 3);
  EXPECT_EQ(page.emitted, 12);
  EXPECT_DOUBLE_EQ(page.tokens_per_pass(), 3);
  EXPECT_DOUBLE_EQ(page.ms("forward"), 6);
  EXPECT_EQ(page.ms("vision"), 0);
  const auto json = to_json(page);
  EXPECT_EQ(json["by_source"]["tesseract"], (nlohmann::json{{"proposed", 24}, {"accepted", 8}}));
  EXPECT_EQ(json["aal_all"], 2.0);
}

TEST(DecodeStats, NothingDecodedDividesByNothing) {
  const DecodeStats none;
  EXPECT_EQ(none.aal_all(), 0);
  EXPECT_EQ(none.tokens_per_pass(), 0);
}

}  // namespace
}  // namespace docspec
