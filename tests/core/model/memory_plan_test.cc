#include "core/model/memory_plan.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/error.h"

namespace docspec {
namespace {

MemoryNeeds needs() {
  return {1'000'000, {10'000, 50}, {100, 1000, 4}, 14, 2, 3136, 1'960'000};
}
MemoryRequest request(int64_t ceiling) {
  return {ceiling, 200'000, 8, 488, 100};
}

TEST(MemoryPlan, CountsTheWorstMomentOfARun) {
  const MemoryPlan plan = plan_memory(needs(), request(100'000'000));
  // 10,000 patches, 2,500 visual rows: 2,500 + 512 + 488 + 100 = 3,600 tokens, a quarter more held
  EXPECT_EQ(plan.cache, 4500 * 100);
  EXPECT_EQ(plan.vision, 10'000 + 10'000 * 50);
  EXPECT_EQ(plan.pass, 100 * (1000 + 3600 * 4));
  EXPECT_EQ(plan.jobs, 8u);
  EXPECT_EQ(plan.max_pixels, 1'960'000);
  EXPECT_EQ(plan.total(), 200'000 + 1'000'000 + 8 * 450'000 + 1'540'000);
  EXPECT_TRUE(plan.steps.empty());
}

TEST(MemoryPlan, CachesInBlocksHoldNoMoreThanTheirTokens) {
  MemoryNeeds paged = needs();
  paged.trunk.paged = true;
  EXPECT_EQ(plan_memory(paged, request(100'000'000)).cache, 3712 * 100) << "29 blocks of 128";
  MemoryRequest shorter = request(100'000'000);
  shorter.new_tokens -= 3600 - 3584;
  EXPECT_EQ(plan_memory(paged, shorter).cache, 3584 * 100) << "28 blocks to the last token";
}

TEST(MemoryPlan, AStateCostsOnceACacheAndNothingAToken) {
  MemoryNeeds recurrent = needs();
  recurrent.trunk.per_cache = 7777;
  EXPECT_EQ(plan_memory(recurrent, request(100'000'000)).cache, 4500 * 100 + 7777);
}

TEST(MemoryPlan, VisionBesidePassesIsHeldWithThem) {
  MemoryNeeds beside = needs();
  beside.vision_in_parallel = true;
  const MemoryPlan one = plan_memory(needs(), request(100'000'000)),
                   both = plan_memory(beside, request(100'000'000));
  EXPECT_EQ(both.total(), one.total() + 10'000 + 10'000 * 50) << "the pass is larger than vision";
  EXPECT_NE(one.text().find("the larger of vision"), std::string::npos) << one.text();
  EXPECT_NE(both.text().find("vision 0.00 + pass"), std::string::npos) << both.text();
  EXPECT_EQ(plan_memory(beside, request(4'000'000)).jobs, 1u) << "two where one of both is held";
}

TEST(MemoryPlan, PagesOfAPromptNeedRoomInItsCache) {
  MemoryNeeds pages = needs();
  pages.page_tokens = 100;
  MemoryRequest asked = request(100'000'000);
  const int64_t one = plan_memory(pages, asked).cache;
  asked.pages = 2;
  EXPECT_EQ(plan_memory(pages, asked).cache, one) << "a page alone has more tokens";
  asked.pages = 50;
  EXPECT_EQ(plan_memory(pages, asked).cache, (50 * 100 + 512 + 488 + 100) * 5 / 4 * 100);
}

TEST(MemoryPlan, GivesUpJobsThenPixels) {
  const MemoryPlan fewer = plan_memory(needs(), request(4'000'000));
  EXPECT_EQ(fewer.jobs, 2u);
  EXPECT_EQ(fewer.max_pixels, 1'960'000);
  ASSERT_EQ(fewer.steps.size(), 1u);
  EXPECT_NE(fewer.steps[0].find("2 of 8 jobs"), std::string::npos) << fewer.steps[0];
  const MemoryPlan smaller = plan_memory(needs(), request(2'500'000));
  EXPECT_EQ(smaller.jobs, 1u);
  EXPECT_LT(smaller.max_pixels, 1'960'000);
  EXPECT_GE(smaller.max_pixels, 512 * 512);
  ASSERT_EQ(smaller.steps.size(), 2u);
  EXPECT_NE(smaller.steps[1].find("pixels"), std::string::npos);
}

TEST(MemoryPlan, SaysWhatTheLeastWouldTake) {
  try {
    plan_memory(needs(), request(1'500'000));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::out_of_memory);
    EXPECT_NE(std::string(e.what()).find("smallest plan is base"), std::string::npos) << e.what();
  }
}

TEST(MemoryPlan, NeverExceedsTheCeilingNorGivesUpInVain) {
  std::mt19937 rng(3);
  for (int round = 0; round < 2000; ++round) {
    MemoryNeeds n{int64_t(rng() % 5'000'000),
                  {int64_t(rng() % 100'000), int64_t(rng() % 200)},
                  {int64_t(rng() % 300), int64_t(rng() % 3000), int64_t(rng() % 20)},
                  14,
                  2,
                  3136,
                  int64_t(5000 + rng() % 4'000'000),
                  rng() % 2 == 0};
    n.trunk.paged = rng() % 2 == 0;
    const MemoryRequest r{int64_t(rng() % 20'000'000), int64_t(rng() % 500'000), 1 + rng() % 64,
                          int64_t(rng() % 2000), 1 + int64_t(rng() % 256)};
    try {
      const MemoryPlan plan = plan_memory(n, r);
      EXPECT_LE(plan.total(), r.ceiling);
      EXPECT_GE(plan.jobs, 1u);
      EXPECT_LE(plan.jobs, r.jobs);
      EXPECT_TRUE(plan.max_pixels == n.max_pixels || plan.jobs == 1);
      if (plan.jobs < r.jobs && plan.max_pixels == n.max_pixels) {
        EXPECT_GT(plan.total() + plan.cache, r.ceiling) << "one more job would have fitted";
      }
      EXPECT_EQ(plan.steps.size(),
                size_t(plan.jobs < r.jobs) + size_t(plan.max_pixels < n.max_pixels));
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::out_of_memory);
    }
  }
}

}  // namespace
}  // namespace docspec
