#include "core/base/thread_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

namespace docspec {
namespace {

TEST(ThreadBudget, ModelHasTheCoresOnWhichNobodyDrafts) {
  ThreadBudget budget(4, 0);
  EXPECT_EQ(budget.model_threads(), 4);
  std::optional<ThreadBudget::Drafting> one(budget), two(budget);
  EXPECT_EQ(budget.model_threads(), 2);
  {
    const ThreadBudget::Drafting three(budget), four(budget), five(budget);
    EXPECT_EQ(budget.model_threads(), 1);
  }
  one.reset();
  two.reset();
  EXPECT_EQ(budget.model_threads(), 4);
}

TEST(ThreadBudget, AChosenNumberStands) {
  ThreadBudget budget(4, 3);
  const ThreadBudget::Drafting one(budget), two(budget);
  EXPECT_EQ(budget.model_threads(), 3);
  EXPECT_EQ(budget.drafting_threads(), 1);
  EXPECT_EQ(ThreadBudget(4, 0).drafting_threads(), 3);
  EXPECT_EQ(ThreadBudget(1, 0).drafting_threads(), 1);
}

TEST(ThreadBudget, WaitingEndsWithTheLastDraft) {
  ThreadBudget budget(2, 0);
  budget.wait_until_no_draft();
  std::optional<ThreadBudget::Drafting> draft(budget);
  std::atomic<bool> ended = false;
  std::thread waiting([&] {
    budget.wait_until_no_draft();
    EXPECT_TRUE(ended);
  });
  ended = true;
  draft.reset();
  waiting.join();
  EXPECT_EQ(budget.model_threads(), 2);
}

}  // namespace
}  // namespace docspec
