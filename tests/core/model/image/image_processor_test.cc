#include "core/model/image/image_processor.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/base/error.h"

namespace docspec {
namespace {

PatchGrid grid(int width, int height, int64_t least = 3136, int64_t most = 47040) {
  ImageProcessorConfig config;
  config.min_pixels = least;
  config.max_pixels = most;
  return ImageProcessor(config).grid(width, height);
}

TEST(ImageProcessor, RoundsSidesHalfToEven) {
  // 70 = 2.5 x 28 -> 2 x 28; 98 = 3.5 x 28 -> 4 x 28
  EXPECT_EQ(grid(70, 98), (PatchGrid{1, 8, 4}));
  EXPECT_EQ(grid(112, 84), (PatchGrid{1, 6, 8}));
}

TEST(ImageProcessor, KeepsAreasWithinTheLimits) {
  EXPECT_EQ(grid(45, 31), (PatchGrid{1, 4, 6}));
  const PatchGrid large = grid(1654, 2339);
  EXPECT_LE(large.patches() * 196, 47040);
  EXPECT_EQ(large.h % 2, 0);
  EXPECT_EQ(large.w % 2, 0);
}

TEST(ImageProcessor, NamesImagesThatAreTooNarrow) {
  for (const auto& [width, height] : {std::pair{1, 40}, {40, 1}, {2, 403}, {2000, 9}}) {
    try {
      grid(width, height);
      FAIL() << width << " x " << height;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::input_file);
      EXPECT_NE(std::string(error.what()).find(std::to_string(width) + " x "), std::string::npos);
    }
  }
  EXPECT_NO_THROW(grid(10, 2000));
}

TEST(ImageProcessor, CutsPatchesInMergeBlocksAndRepeatsThemForBothFrames) {
  PageImage page(1, 112, 56, 72);
  for (int y = 0; y < 56; ++y)
    for (int x = 0; x < 112; ++x)
      page.row(y)[3 * x] = uint8_t(y / 14 * 8 + x / 14);  // patch number
  const Patches out = ImageProcessor({})(page);
  ASSERT_EQ(out.grid, (PatchGrid{1, 4, 8}));
  ASSERT_EQ(out.values.size(1), 3 * 2 * 14 * 14);
  const int order[] = {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 16, 17, 24, 25};
  const ImageProcessorConfig config;
  for (int i = 0; i < 20; ++i) {
    const double wanted = (order[i] / 255.0 - config.mean[0]) / config.std[0];
    EXPECT_NEAR(out.values[i][0].item<float>(), wanted, 1e-6) << "patch " << i;
    EXPECT_TRUE(at::equal(out.values[i].narrow(0, 0, 196), out.values[i].narrow(0, 196, 196)));
  }
}

}  // namespace
}  // namespace docspec
