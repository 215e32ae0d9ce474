#include "drafts/grid/dark_strokes.h"

#include <allheaders.h>
#include <gtest/gtest.h>

#include <random>

namespace docspec {
namespace {

TEST(DarkStrokes, AreThoseOfLeptonicasBlackTophat) {
  constexpr int kLeast = 40;
  std::mt19937 rng(7);
  for (const auto& [width, height] : {std::pair{61, 37}, {40, 90}, {5, 8}, {33, 1}}) {
    const PixPtr gray(pixCreate(width, height, 8));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        pixSetPixel(gray.get(), x, y, rng() % 5 == 0 ? rng() % 256 : 180 + rng() % 60);
    for (const bool across : {true, false})
      for (const int reach : {3, 7, 21}) {
        const PixPtr contrast(
            pixTophat(gray.get(), across ? 1 : reach, across ? reach : 1, L_TOPHAT_BLACK));
        const PixPtr expected(pixThresholdToBinary(contrast.get(), kLeast));
        pixInvert(expected.get(), expected.get());
        const PixPtr found = dark_strokes(gray.get(), across, reach, kLeast);
        l_int32 same = 0;
        pixEqual(found.get(), expected.get(), &same);
        EXPECT_TRUE(same) << width << "x" << height << ", reach " << reach << ", " << across;
      }
  }
}

}  // namespace
}  // namespace docspec
