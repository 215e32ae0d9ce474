#include "core/page_window.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace docspec {
namespace {

TEST(PageWindow, HandsItemsOutInOrderWhateverTheThreads) {
  for (int workers : {1, 2, 5}) {
    PageWindow<int> window(50, workers, 4, [] { return [](int i) { return i * i; }; });
    for (int i = 0; i < 50; ++i) EXPECT_EQ(window.next(), i * i);
  }
}

TEST(PageWindow, NeverHoldsMoreThanItsCapacity) {
  std::atomic<int> alive{0}, most{0};
  struct Counted {
    explicit Counted(std::atomic<int>* n) : count(n) {}
    Counted(Counted&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
    Counted& operator=(Counted&& other) noexcept {
      std::swap(count, other.count);
      return *this;
    }
    ~Counted() {
      if (count) --*count;
    }
    std::atomic<int>* count;
  };
  PageWindow<Counted> window(40, 3, 3, [&] {
    return [&](int) {
      const int now = ++alive;
      int seen = most;
      while (now > seen && !most.compare_exchange_weak(seen, now)) {
      }
      return Counted(&alive);
    };
  });
  for (int i = 0; i < 40; ++i) window.next();
  EXPECT_LE(most, 4) << "three in the window and the one just handed out";
  EXPECT_EQ(alive, 0);
}

TEST(PageWindow, AnErrorBelongsToItsItemAlone) {
  PageWindow<int> window(5, 2, 2, [] {
    return [](int i) {
      if (i == 2) throw std::runtime_error("page " + std::to_string(i));
      return i;
    };
  });
  EXPECT_EQ(window.next(), 0);
  EXPECT_EQ(window.next(), 1);
  EXPECT_THROW(window.next(), std::runtime_error);
  EXPECT_EQ(window.next(), 3);
  EXPECT_EQ(window.next(), 4);
}

TEST(PageWindow, EndsEarlyWithoutMakingTheRest) {
  std::atomic<int> made{0};
  {
    PageWindow<int> window(1000, 2, 2, [&] {
      return [&](int i) {
        ++made;
        return i;
      };
    });
    window.next();
  }
  EXPECT_LE(made, 10);
}

}  // namespace
}  // namespace docspec
