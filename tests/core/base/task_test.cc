#include "core/base/task.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace docspec {
namespace {

/// Where coroutines wait until a test lets them go on.
struct Bell {
  std::vector<std::coroutine_handle<>> waiting;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> coroutine) { waiting.push_back(coroutine); }
  void await_resume() const {}
  void ring() {
    for (const auto coroutine : std::exchange(waiting, {})) coroutine.resume();
  }
};

Task<std::unique_ptr<int>> number(Bell& bell, int n) {
  co_await bell;
  if (n < 0) throw std::out_of_range("negative");
  co_return std::make_unique<int>(n);
}

Task<int> sum(Bell& bell, std::vector<int> of) {
  int total = 0;
  for (const int n : of) {
    const std::unique_ptr<int> one = co_await number(bell, n);
    total += *one;
  }
  co_return total;
}

TEST(Task, GoesOnWhereItWaited) {
  Bell bell;
  Task<int> task = sum(bell, {1, 20, 300});
  EXPECT_TRUE(bell.waiting.empty()) << "it has not begun";
  task.start();
  for (int rings = 0; rings < 3; ++rings) {
    EXPECT_FALSE(task.done());
    bell.ring();
  }
  ASSERT_TRUE(task.done());
  EXPECT_EQ(task.get(), 321);
}

TEST(Task, GivesWhatWasThrownBelowIt) {
  Bell bell;
  Task<int> task = sum(bell, {1, -1, 300});
  task.start();
  bell.ring();
  EXPECT_NO_THROW(bell.ring());
  ASSERT_TRUE(task.done());
  EXPECT_THROW(task.get(), std::out_of_range);
}

TEST(Task, RunsToItsEndWhereNothingWaits) {
  const auto nothing = [](int& seen) -> Task<void> {
    ++seen;
    co_return;
  };
  int seen = 0;
  nothing(seen).run();
  EXPECT_EQ(seen, 1);
}

TEST(Task, EndsWhereItWaitsWhenItIsDestroyed) {
  Bell bell;
  auto held = std::make_shared<int>(1);
  const auto holding = [&bell](std::shared_ptr<int> its) -> Task<void> {
    co_await number(bell, *its);
  };
  {
    Task<void> task = holding(held);
    task.start();
    EXPECT_GT(held.use_count(), 1);
  }
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace docspec
