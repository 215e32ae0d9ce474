#include "core/model/image/anyres_processor.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

/// The published sizes: tiles of 384 pixels, up to 6 x 6 of them.
AnyresProcessor published(nlohmann::json pinpoints = nullptr) {
  if (pinpoints.is_null())
    for (int h = 384; h <= 2304; h += 384)
      for (int w = 384; w <= 2304; w += 384) pinpoints.push_back({h, w});
  test::TempDir dir;
  test::write_file(dir / "config.json", nlohmann::json{{"image_grid_pinpoints", pinpoints}}.dump());
  test::write_file(dir / "preprocessor_config.json", "{}");
  test::write_file(dir / "model.safetensors", test::safetensors_bytes({{"stray", "U8", {1}, "a"}}));
  return AnyresProcessor(Checkpoint(dir.path()), {384, 14, 9, {}});
}

// Numbers of transformers 5.17's LlavaOnevisionProcessor._get_number_of_features.
TEST(AnyresProcessor, CountsVisualRowsAsTheReference) {
  const AnyresProcessor images = published();
  EXPECT_EQ(images.visual_tokens(384, 384), 1485);
  EXPECT_EQ(images.visual_tokens(640, 480), 2929);
  EXPECT_EQ(images.visual_tokens(1654, 2339), 7353);
  EXPECT_EQ(images.visual_tokens(2339, 1654), 7325);
  EXPECT_EQ(images.visual_tokens(100, 1000), 1539);
  EXPECT_EQ(images.visual_tokens(3000, 200), 2522);
  EXPECT_THROW(images.visual_tokens(1, 300), Error);
}

TEST(AnyresProcessor, ALimitLeavesSmallerResolutions) {
  AnyresProcessor images = published();
  const PatchGrid whole = images.grid(1654, 2339);
  images.limit(1'000'000);
  const PatchGrid less = images.grid(1654, 2339);
  EXPECT_LT(less.t, whole.t);
  EXPECT_LE(less.t * 384 * 384, 1'000'000);
  images.limit(1);
  EXPECT_EQ(images.grid(1654, 2339).t, 2) << "the whole image and one tile stay";
}

TEST(AnyresProcessor, PadsBlackAndPutsTheWholeImageFirst) {
  PageImage white(1, 768, 384, 72);
  for (int y = 0; y < 384; ++y) std::fill_n(white.row(y), 3 * 768, uint8_t(255));
  const AnyresProcessor images = published(nlohmann::json::parse("[[768, 768]]"));
  const Patches out = images(white);
  ASSERT_EQ(out.grid, (PatchGrid{5, 27, 27}));
  const at::Tensor tiles = out.values.view({5, 27, 27, 588});
  const float light = tiles[0].max().item<float>(), dark = tiles.min().item<float>();
  EXPECT_EQ(tiles[0].select(2, 0).min().item<float>(), tiles[0].select(2, 0).max().item<float>())
      << "no padding in the whole image";
  EXPECT_LT(dark, 0);
  EXPECT_GT(light, 0);
  EXPECT_LT(tiles[1][0].max().item<float>(), 0) << "192 black rows above";
  EXPECT_GT(tiles[1][20].min().item<float>(), 0);
  EXPECT_LT(tiles[4][26].max().item<float>(), 0) << "and below";
}

TEST(AnyresProcessor, NamesResolutionsItCannotCut) {
  for (const nlohmann::json& wrong : {nlohmann::json{{400, 384}}, nlohmann::json{{384}},
                                      nlohmann::json("any"), nlohmann::json::array()}) {
    try {
      published(wrong);
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::dependency);
      EXPECT_NE(std::string(error.what()).find("image_grid_pinpoints"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace docspec
