#include "core/model/image/view_processor.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

/// With nothing but the published code's numbers, as the Hub's folders have it.
ViewProcessor published(ViewProcessor::Config config) {
  test::TempDir dir;
  test::write_file(dir / "config.json", "{}");
  test::write_file(dir / "model.safetensors", test::safetensors_bytes({{"stray", "U8", {1}, "a"}}));
  return ViewProcessor(Checkpoint(dir.path()), config);
}

const ViewProcessor::Config kSecond{};
const ViewProcessor::Config kFirst{1024, 640, 16, 2, 9, true, true};

// DeepSeek-OCR-2: transformers 5.17's get_number_of_image_patches and the processor's counts.
TEST(ViewProcessor, CountsVisualRowsOfDeepseekOcr2) {
  const ViewProcessor images = published(kSecond);
  EXPECT_EQ(images.visual_tokens(768, 768), 257) << "at least so many";
  EXPECT_EQ(images.visual_tokens(769, 768), 257 + 4 * 144);
  EXPECT_EQ(images.visual_tokens(1191, 1684), 257 + 6 * 144) << "A4 at 144 dpi: 2 x 3 tiles";
  EXPECT_EQ(images.visual_tokens(1684, 1191), 257 + 6 * 144);
  EXPECT_EQ(images.visual_tokens(3000, 500), 257 + 6 * 144);
  EXPECT_THROW(images.visual_tokens(1, 300), Error);
}

// DeepSeek-OCR: 16 x 17 + 1 of the whole image, 10 of a tile's side, a newline each row.
TEST(ViewProcessor, CountsVisualRowsOfDeepseekOcr) {
  const ViewProcessor images = published(kFirst);
  EXPECT_EQ(images.visual_tokens(640, 640), 273);
  EXPECT_EQ(images.visual_tokens(1191, 1684), 273 + 30 * 21);
  EXPECT_EQ(images.tiles(1191, 1684).rows, 3);
  EXPECT_EQ(images.tiles(1191, 1684).columns, 2);
  EXPECT_EQ(images.tiles(2000, 2000).rows, 3) << "of 2 x 2 and 3 x 3 the larger";
  EXPECT_EQ(images.tiles(700, 700).rows, 2) << "unless it shows twice the image's area";
}

TEST(ViewProcessor, ALimitLeavesTilesOutAndKeepsTheWholeImage) {
  ViewProcessor images = published(kSecond);
  EXPECT_EQ(images.config().max_pixels, 1024 * 1024 + 6 * 768 * 768);
  images.limit(1024 * 1024 + 3 * 768 * 768);
  EXPECT_EQ(images.visual_tokens(1191, 1684), 257 + 2 * 144) << "1 x 2 tiles";
  images.limit(1);
  EXPECT_EQ(images.visual_tokens(1191, 1684), 257);
  EXPECT_EQ(images.grid(1191, 1684), (PatchGrid{1, 1, 4096}));
}

TEST(ViewProcessor, TheWholeImageComesLastInTheMiddleOfGray) {
  PageImage white(1, 1600, 800, 72);
  for (int y = 0; y < 800; ++y) std::fill_n(white.row(y), 3 * 1600, uint8_t(255));
  const Patches out = published(kSecond)(white);
  const int64_t tiles = (out.values.size(0) - 4096) / 2304;
  EXPECT_EQ(tiles, 2);
  EXPECT_EQ(out.values.narrow(0, 0, 2 * 2304).min().item<float>(), 1) << "no gray in tiles";
  const at::Tensor whole = out.values.narrow(0, 2 * 2304, 4096).view({64, 64, -1});
  const float gray = 127.0f / 127.5f - 1;
  EXPECT_NEAR(whole[0].max().item<float>(), gray, 1e-6);
  EXPECT_NEAR(whole[63].min().item<float>(), gray, 1e-6);
  EXPECT_EQ(whole.narrow(0, 16, 32).min().item<float>(), 1);
}

}  // namespace
}  // namespace docspec
