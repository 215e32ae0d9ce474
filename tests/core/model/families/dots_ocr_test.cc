#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/ops/ops.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/full_size.h"
#include "tests/support/shapes_alone.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

using nlohmann::json;

/// config.json of the published model, as far as it is read.
json published_config() {
  return json::parse(R"({
    "model_type": "dots_ocr", "hidden_size": 1536, "intermediate_size": 8960,
    "num_hidden_layers": 28, "num_attention_heads": 12, "num_key_value_heads": 2,
    "rms_norm_eps": 1e-6, "rope_theta": 1000000, "rope_scaling": null, "vocab_size": 151936,
    "image_token_id": 151665, "hidden_act": "silu", "use_sliding_window": false,
    "tie_word_embeddings": false, "torch_dtype": "bfloat16",
    "vision_config": {"embed_dim": 1536, "hidden_size": 1536, "intermediate_size": 4224,
      "num_hidden_layers": 42, "num_attention_heads": 12, "num_channels": 3, "patch_size": 14,
      "spatial_merge_size": 2, "temporal_patch_size": 1, "rms_norm_eps": 1e-5, "use_bias": false,
      "post_norm": true, "is_causal": false, "initializer_range": 0.02}})");
}

/// The family at the sizes of this config.json: the tensors it asks for, and what it takes.
struct Made {
  std::vector<TensorInfo> demanded;
  MemoryNeeds needs;
};

Made made(const json& config, c10::Device place = at::kCPU) {
  test::TempDir dir;
  test::write_file(dir / "config.json", config.dump());
  test::write_file(dir / "preprocessor_config.json",
                   R"({"min_pixels": 3136, "max_pixels": 11289600, "temporal_patch_size": 1})");
  test::write_file(dir / "model.safetensors", test::safetensors_bytes({{"stray", "U8", {1}, "a"}}));
  const Checkpoint checkpoint(dir.path());
  const auto ops = make_cpu_ops();
  test::ShapesAlone weights(checkpoint);
  const Vlm::Parts parts = make_dots_ocr(checkpoint, weights, *ops);
  Made out{weights.expected(), {}};
  out.needs.vision = parts.vision->bytes();
  out.needs.trunk = parts.trunk->bytes(place);
  out.needs.min_pixels = parts.image_processor->config().min_pixels;
  out.needs.max_pixels = parts.image_processor->config().max_pixels;
  return out;
}

std::vector<TensorInfo> demanded(const json& config) {
  return made(config).demanded;
}

int64_t size_of(const TensorInfo& tensor) {
  int64_t n = 1;
  for (const int64_t side : tensor.shape) n *= side;
  return n;
}

// Numbers of tests/oracle/full_size: the published vision tower and transformers' Qwen2, on the
// meta device.
TEST(DotsOcr, AtFullSizeWantsThePublishedTensors) {
  std::vector<std::string> lines;
  int64_t vision = 0, language = 0;
  for (const TensorInfo& tensor : demanded(published_config())) {
    (tensor.name.starts_with("vision_tower.") ? vision : language) += size_of(tensor);
    lines.push_back(fmt::format("{} {}\n", tensor.name, fmt::join(tensor.shape, ",")));
  }
  EXPECT_EQ(lines.size(), 643u);
  EXPECT_EQ(vision, 1'262'091'264);
  EXPECT_EQ(language, 1'777'088'000) << "1.54 B and the head's own 0.23 B";
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(sha256_hex(fmt::format("{}", fmt::join(lines, ""))),
            "23c2709aa4a41150dc6c362662bb01d458a454850620591b8c94b4a899084d88");
  EXPECT_EQ(test::memory_cell(published_config(), R"({"temporal_patch_size": 1})"), "7.4 / 6.0");
}

TEST(DotsOcr, AtFullSizeReadsAnA4PageWithinTenGigabytes) {
  const Made made = docspec::made(published_config());
  MemoryNeeds needs = made.needs;
  for (const TensorInfo& tensor : made.demanded) needs.weights += 2 * size_of(tensor);
  EXPECT_EQ(needs.trunk.per_token, 28 * 2 * 2 * 128 * 4) << "keys and values of 2 heads in f32";
  constexpr int64_t kGib = int64_t{1} << 30;
  const MemoryPlan plan = plan_memory(needs, {10 * kGib, kGib / 2, 64, 32, 256});
  EXPECT_GE(plan.max_pixels, 1654 * 2339) << plan.text();
  EXPECT_LT(plan.vision, 3 * kGib) << plan.text();
  EXPECT_THROW(plan_memory(needs, {6 * kGib, kGib / 2, 64, 32, 256}), Error);
}

TEST(DotsOcr, OnAGpuItsCachesAreOfTheModelsNumbersInBlocks) {
  const TrunkBytes gpu = made(published_config(), at::kCUDA).needs.trunk;
  EXPECT_EQ(gpu.per_token, 28 * 2 * 2 * 128 * 2) << "bf16";
  EXPECT_TRUE(gpu.paged);
  EXPECT_FALSE(made(published_config()).needs.trunk.paged);
}

TEST(DotsOcr, FollowsTheSwitchesOfItsConfig) {
  json plain = published_config();
  plain["vision_config"]["num_hidden_layers"] = 1;
  plain["num_hidden_layers"] = 1;
  const size_t tensors = demanded(plain).size();
  json biased = plain, open = plain;
  biased["vision_config"]["use_bias"] = true;
  EXPECT_EQ(demanded(biased).size(), tensors + 5) << "qkv, proj, fc1, fc2, fc3";
  open["vision_config"]["post_norm"] = false;
  EXPECT_EQ(demanded(open).size(), tensors - 1);
}

TEST(DotsOcr, NamesTheKeyItCannotFollow) {
  const std::pair<const char*, json> wrong[] = {
      {"num_channels", 1},           {"temporal_patch_size", 2}, {"is_causal", true},
      {"hidden_size", 1024},         {"embed_dim", 1530},        {"num_attention_heads", 0},
      {"num_hidden_layers", nullptr}};
  for (const auto& [key, value] : wrong) {
    json config = published_config();
    config["vision_config"][key] = value;
    try {
      demanded(config);
      ADD_FAILURE() << key;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::dependency);
      const std::string said = e.what();
      const bool temporal = std::string_view(key) == "temporal_patch_size";
      EXPECT_NE(said.find(temporal ? "temporal" : key), std::string::npos) << said;
    }
  }
}

TEST(RopePositions, OneAxisCountsVisualRowsLikeText) {
  const std::vector<int32_t> ids{5, 9, 9, 9, 9, 9, 9, 7, 8};
  const RopePositions one = rope_positions(RopeAxes::one, ids, 9, 2, 3);
  EXPECT_EQ(one.delta, 0);
  for (size_t i = 0; i < 27; ++i) EXPECT_EQ(one.axes[i], int64_t(i % 9)) << i;
  const RopePositions three = rope_positions(RopeAxes::three, ids, 9, 2, 3);
  EXPECT_EQ(three.delta, 4 - 7);
  EXPECT_EQ(three.axes, (std::vector<int64_t>{0, 1, 1, 1, 1, 1, 1, 4, 5, 0, 1, 1, 1, 2,
                                              2, 2, 4, 5, 0, 1, 2, 3, 1, 2, 3, 4, 5}));
  for (const RopeAxes kind : {RopeAxes::one, RopeAxes::three})
    EXPECT_THROW(rope_positions(kind, ids, 9, 3, 3), std::invalid_argument);
}

// HunyuanOCR: a row before and one behind the image, newlines among its columns.
TEST(RopePositions, FourAxesGiveAnImageItsOwnColumnsAndRows) {
  const std::vector<int32_t> ids{5, 9, 9, 9, 9, 9, 9, 9, 9, 7};
  const RopePositions four = rope_positions(RopeAxes::four, ids, 9, 2, 3);
  EXPECT_EQ(four.delta, 0);
  const std::vector<int64_t> axes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 0, 1, 2, 0, 1, 2, 8, 9,
                                  0, 1, 0, 0, 0, 1, 1, 1, 8, 9, 0, 1, 0, 0, 0, 0, 0, 0, 8, 9};
  EXPECT_EQ(four.axes, axes);
  EXPECT_THROW(rope_positions(RopeAxes::four, ids, 9, 2, 4), std::invalid_argument);
}

}  // namespace
}  // namespace docspec
