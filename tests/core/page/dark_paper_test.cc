#include "core/page/dark_paper.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace docspec {
namespace {

/// Bars of ink on a tenth of the paper.
PageImage bars(uint8_t paper, uint8_t ink) {
  PageImage page(1, 200, 100, 200);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 200; ++x) std::fill_n(page.row(y) + 3 * x, 3, x % 20 < 2 ? ink : paper);
  return page;
}

TEST(DarkPaper, LightLettersBecomeDark) {
  const PageImage shown = dark_on_light(bars(30, 220));
  EXPECT_EQ(int(shown.row(5)[0]), 35);
  EXPECT_EQ(int(shown.row(5)[3 * 10]), 225);
}

TEST(DarkPaper, OtherPagesStay) {
  const auto stays = [](uint8_t paper, uint8_t ink) {
    return int(dark_on_light(bars(paper, ink)).row(5)[3 * 10]) == paper;
  };
  EXPECT_TRUE(stays(255, 0));
  EXPECT_TRUE(stays(140, 255));
  EXPECT_TRUE(stays(20, 50)) << "nothing on it";
}

}  // namespace
}  // namespace docspec
