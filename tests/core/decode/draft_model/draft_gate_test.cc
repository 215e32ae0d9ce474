#include "core/decode/draft_model/draft_gate.h"

#include <gtest/gtest.h>

#include <random>

namespace docspec {
namespace {

/// Rounds of which drafted ones take `draft` ms more and yield `tokens` tokens, others one token in
/// a millisecond; the share of drafted ones.
double drafted_share(double draft, int64_t tokens, int rounds, size_t jobs = 1) {
  double now = 0;
  DraftGate gate([&] { return now; });
  int64_t drafted = 0;
  for (int i = 0; i < rounds; ++i) {
    std::vector<bool> on;
    for (size_t job = 0; job < jobs; ++job) {
      on.push_back(gate.begin());
      now += on.back() ? draft : 0;
    }
    now += 1;  // one pass for all
    for (const bool one : on) {
      gate.end(one ? tokens : 1);
      drafted += one;
    }
    now += 1000 * (i % 10 == 0);  // another page's vision
  }
  return double(drafted) / double(rounds * int(jobs));
}

TEST(DraftGate, DraftsWhereDraftsPay) {
  EXPECT_GT(drafted_share(0.5, 3, 2000), 0.85);     // 2 tokens a millisecond
  EXPECT_GT(drafted_share(0.1, 3, 2000, 4), 0.85);  // 8.6 beside 4
}

TEST(DraftGate, LeavesDraftsThatCostMoreThanTheyYield) {
  EXPECT_LT(drafted_share(4, 3, 2000), 0.15);  // 0.6 tokens a millisecond
  EXPECT_LT(drafted_share(4, 3, 2000, 4), 0.15);
}

TEST(DraftGate, TriesTheWorseKindTheLessTheWorseItIs) {
  EXPECT_LT(drafted_share(40, 1, 4000), drafted_share(1.5, 2, 4000));
  EXPECT_LT(drafted_share(40, 1, 4000), 0.01);
}

TEST(DraftGate, FollowsWhatChanges) {
  double now = 0;
  DraftGate gate([&] { return now; });
  int64_t late = 0;
  for (int i = 0; i < 6000; ++i) {
    const bool on = gate.begin();
    now += 1 + (on ? 0.5 : 0);
    gate.end(on && i >= 1000 ? 4 : 1);  // drafts become good
    late += on && i >= 3000;
  }
  EXPECT_GT(late, 2000);
}

TEST(DraftGate, ARoundThatIsDroppedLeavesTheClockRight) {
  double now = 0;
  DraftGate gate([&] { return now; });
  for (int i = 0; i < 5; ++i) {
    gate.begin();
    gate.drop();
    now += 1e6;
  }
  int64_t drafted = 0;
  for (int i = 0; i < 500; ++i) {
    const bool on = gate.begin();
    drafted += on;
    now += 1;
    gate.end(on ? 3 : 1);
  }
  EXPECT_GT(drafted, 400);
}

}  // namespace
}  // namespace docspec
