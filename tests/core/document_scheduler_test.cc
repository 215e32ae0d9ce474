#include "core/document_scheduler.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "core/page_window.h"

namespace docspec {
namespace {

/// Documents of so many pages, drafted by one thread each; notes what happens.
struct Journey {
  std::vector<int> pages;
  size_t most;
  std::vector<std::string> notes = {};
  int reading = 0;  ///< pages that wait for a pass
  int open = 0, most_open = 0;
  DocumentScheduler scheduler{most, [this] { return std::exchange(reading, 0) > 0; }};

  Task<void> document(int number) {
    most_open = std::max(most_open, ++open);
    PageWindow<int> window(
        pages[size_t(number)], 1, 2,
        [] {
          return [](int page) {
            std::this_thread::yield();
            return page;
          };
        },
        &scheduler.limiter());
    for (int page = 0; page < pages[size_t(number)]; ++page) {
      while (!window.ready()) co_await scheduler.yield();
      if (window.next() != page) throw std::logic_error("out of order");
      ++reading;
      co_await scheduler.yield();
      notes.push_back(std::to_string(number) + "." + std::to_string(page));
    }
    --open;
    if (pages[size_t(number)] == 7) throw std::runtime_error("seven pages");
  }

  void run() {
    int next = 0;
    scheduler.run([&]() -> std::optional<Task<void>> {
      if (next == int(pages.size())) return std::nullopt;
      return document(next++);
    });
  }
};

TEST(DocumentScheduler, ReadsEveryPageOfEveryDocument) {
  for (const size_t most : {1u, 2u, 5u}) {
    Journey journey{{3, 1, 0, 1, 1, 4, 1}, most};
    journey.scheduler.limiter().set_threads(2);
    journey.run();
    EXPECT_EQ(journey.notes.size(), 11u);
    EXPECT_LE(journey.most_open, int(most));
  }
}

TEST(DocumentScheduler, TakesOneAfterTheOtherWhereOneMayBeOpen) {
  Journey journey{{2, 1, 1}, 1};
  journey.run();
  EXPECT_EQ(journey.notes, (std::vector<std::string>{"0.0", "0.1", "1.0", "2.0"}));
}

TEST(DocumentScheduler, ThrowsWhatADocumentThrowsAndEndsTheOthers) {
  Journey journey{{9, 7, 9}, 3};
  EXPECT_THROW(journey.run(), std::runtime_error);
}

TEST(ThreadLimiter, LetsNoMoreThreadsDraftThanItHas) {
  ThreadLimiter limiter;
  limiter.set_threads(2);
  std::atomic<int> drafting{0}, most{0};
  std::vector<std::unique_ptr<PageWindow<int>>> windows;
  for (int i = 0; i < 3; ++i)
    windows.push_back(std::make_unique<PageWindow<int>>(
        20, 2, 20,
        [&] {
          return [&](int page) {
            const int now = ++drafting;
            for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
            }
            std::this_thread::yield();
            --drafting;
            return page;
          };
        },
        &limiter));
  for (auto& window : windows)
    for (int page = 0; page < 20; ++page) EXPECT_EQ(window->next(), page);
  EXPECT_LE(most, 2);
  EXPECT_TRUE(limiter.all_begun());
}

TEST(ThreadLimiter, PagesOfAWindowThatIsGivenUpAreNotWaitedFor) {
  ThreadLimiter limiter;
  {
    PageWindow<int> window(
        50, 1, 2, [] { return [](int page) { return page; }; }, &limiter);
    window.next();
    EXPECT_FALSE(limiter.all_begun());
  }
  EXPECT_TRUE(limiter.all_begun());
}

}  // namespace
}  // namespace docspec
