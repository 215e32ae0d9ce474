#include "tests/support/full_size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/sha256.h"

namespace docspec {
namespace {

using nlohmann::json;

using test::demanded, test::memory_cell, test::numbers_in, test::Shapes;

int64_t parameters(const json& config, const std::string& preprocessor) {
  return numbers_in(demanded(config, preprocessor));
}

/// As tests/oracle/full_size prints it.
std::string sha256_of(const Shapes& shapes) {
  std::string lines;
  for (const auto& [name, shape] : shapes)
    lines += fmt::format("{} {}\n", name, fmt::join(shape, ","));
  return sha256_hex(lines);
}

json qwen2_5_vl(int vocab, int hidden, int intermediate, int layers, int heads, int kv, bool tied) {
  json config = {{"model_type", "qwen2_5_vl"},  {"vocab_size", vocab},
                 {"hidden_size", hidden},       {"intermediate_size", intermediate},
                 {"num_hidden_layers", layers}, {"num_attention_heads", heads},
                 {"num_key_value_heads", kv},   {"rope_theta", 1e6},
                 {"tie_word_embeddings", tied}};
  config["rope_scaling"] = {{"type", "mrope"}, {"mrope_section", {16, 24, 24}}};
  config["vision_config"] = {
      {"depth", 32},     {"hidden_size", 1280},       {"intermediate_size", 3420},
      {"num_heads", 16}, {"out_hidden_size", hidden}, {"fullatt_block_indexes", {7, 15, 23, 31}}};
  return config;
}

// As published: 3.75 B and 8.29 B.
TEST(FullSize, Qwen25VlHasThePublishedNumberOfParameters) {
  const json small = qwen2_5_vl(151936, 2048, 11008, 36, 16, 2, true);
  const json large = qwen2_5_vl(152064, 3584, 18944, 28, 28, 4, false);
  EXPECT_EQ(parameters(small, "{}"), 3'754'622'976);
  EXPECT_EQ(memory_cell(small, "{}"), "9.0 / 6.7");
  EXPECT_EQ(parameters(large, "{}"), 8'292'166'656);
  EXPECT_EQ(memory_cell(large, "{}"), "18.3 / 11.7");
}

json qwen3_vl(int hidden, int intermediate, int layers, int heads, bool large) {
  const bool tied = !large;
  json text = {{"vocab_size", 151936},     {"hidden_size", hidden},
               {"num_key_value_heads", 8}, {"intermediate_size", intermediate},
               {"head_dim", 128},          {"num_hidden_layers", layers},
               {"rope_theta", 5e6},        {"num_attention_heads", heads}};
  text["rope_scaling"] = {
      {"mrope_interleaved", true}, {"mrope_section", {24, 20, 20}}, {"rope_type", "default"}};
  const json vision = {{"depth", large ? 27 : 24},
                       {"hidden_size", large ? 1152 : 1024},
                       {"intermediate_size", large ? 4304 : 4096},
                       {"num_heads", 16},
                       {"out_hidden_size", hidden},
                       {"num_position_embeddings", 2304},
                       {"deepstack_visual_indexes",
                        large ? std::vector<int>{8, 16, 24} : std::vector<int>{5, 11, 17}}};
  return {{"model_type", "qwen3_vl"},
          {"text_config", text},
          {"vision_config", vision},
          {"tie_word_embeddings", tied}};
}

json qwen3_5(int hidden, int intermediate, int layers, int heads, int kv_heads, int value_heads,
             int vision_width, int vision_depth) {
  const json text = {{"vocab_size", 248320},
                     {"hidden_size", hidden},
                     {"intermediate_size", intermediate},
                     {"num_hidden_layers", layers},
                     {"num_attention_heads", heads},
                     {"num_key_value_heads", kv_heads},
                     {"head_dim", 256},
                     {"linear_num_key_heads", 16},
                     {"linear_num_value_heads", value_heads},
                     {"linear_key_head_dim", 128},
                     {"linear_value_head_dim", 128},
                     {"linear_conv_kernel_dim", 4},
                     {"full_attention_interval", 4},
                     {"rope_parameters",
                      {{"rope_type", "default"},
                       {"rope_theta", 1e7},
                       {"partial_rotary_factor", 0.25},
                       {"mrope_section", {11, 11, 10}}}}};
  const json vision = {{"depth", vision_depth},
                       {"hidden_size", vision_width},
                       {"intermediate_size", 4 * vision_width},
                       {"num_heads", vision_width / 64},
                       {"out_hidden_size", hidden},
                       {"num_position_embeddings", 2304}};
  return {{"model_type", "qwen3_5"},
          {"text_config", text},
          {"vision_config", vision},
          {"tie_word_embeddings", true}};
}

// As transformers 5.17 counts on the meta device.
TEST(FullSize, Qwen35HasTheReferencesNumberOfParameters) {
  const std::string image = R"({"patch_size": 16})";
  EXPECT_EQ(parameters(qwen3_5(1024, 3584, 24, 8, 2, 16, 768, 12), image), 852'985'920);
  EXPECT_EQ(parameters(qwen3_5(2048, 6144, 24, 8, 2, 16, 1024, 24), image), 2'213'241'664);
  EXPECT_EQ(parameters(qwen3_5(2560, 9216, 32, 16, 4, 32, 1024, 24), image), 4'539'265'536);
  EXPECT_EQ(memory_cell(qwen3_5(1024, 3584, 24, 8, 2, 16, 768, 12), image), "3.3 / 3.2");
  EXPECT_EQ(memory_cell(qwen3_5(2048, 6144, 24, 8, 2, 16, 1024, 24), image), "5.9 / 5.2");
  EXPECT_EQ(memory_cell(qwen3_5(2560, 9216, 32, 16, 4, 32, 1024, 24), image), "11.1 / 8.7");
}

// As published, and as transformers 5.17 counts on the meta device.
TEST(FullSize, Qwen3VlHasThePublishedNumberOfParameters) {
  const std::string image = R"({"patch_size": 16})";
  EXPECT_EQ(parameters(qwen3_vl(2048, 6144, 28, 16, false), image), 2'127'532'032);
  EXPECT_EQ(parameters(qwen3_vl(2560, 9728, 36, 32, false), image), 4'437'815'808);
  EXPECT_EQ(parameters(qwen3_vl(4096, 12288, 36, 32, true), image), 8'767'123'696);
  EXPECT_EQ(memory_cell(qwen3_vl(2048, 6144, 28, 16, false), image), "7.6 / 6.6");
  EXPECT_EQ(memory_cell(qwen3_vl(2560, 9728, 36, 32, false), image), "13.1 / 10.1");
  EXPECT_EQ(memory_cell(qwen3_vl(4096, 12288, 36, 32, true), image), "21.1 / 14.1");
}

// As transformers 5.17 counts on the meta device with its configuration's defaults.
TEST(FullSize, LightOnOcrHasThePublishedNumberOfParameters) {
  const json text = {{"vocab_size", 151936},      {"hidden_size", 1024},
                     {"intermediate_size", 3072}, {"num_hidden_layers", 28},
                     {"num_attention_heads", 16}, {"num_key_value_heads", 8},
                     {"head_dim", 128},           {"rope_theta", 1e6}};
  const json vision = {{"hidden_size", 1024},     {"intermediate_size", 4096},
                       {"num_hidden_layers", 24}, {"num_attention_heads", 16},
                       {"patch_size", 14},        {"hidden_act", "silu"}};
  const json config = {{"model_type", "lighton_ocr"},
                       {"text_config", text},
                       {"vision_config", vision},
                       {"tie_word_embeddings", true}};
  const std::string image = R"({"patch_size": 14, "size": {"longest_edge": 1540}})";
  EXPECT_EQ(parameters(config, image), 1'005'647'872);
  EXPECT_EQ(memory_cell(config, image), "5.5 / 5.3");
}

// As transformers 5.17 counts on the meta device with its configuration's defaults. The published
// file has 0.16 B more: the head once more, positions and a pooling that nothing reads.
TEST(FullSize, PaddleOcrVlHasTheParametersOfTheReference) {
  json config = {
      {"model_type", "paddleocr_vl"}, {"vocab_size", 103424},    {"hidden_size", 1024},
      {"intermediate_size", 3072},    {"num_hidden_layers", 18}, {"num_attention_heads", 16},
      {"num_key_value_heads", 2},     {"head_dim", 128},         {"rope_theta", 5e5},
      {"tie_word_embeddings", false}};
  config["rope_scaling"] = {{"rope_type", "default"}, {"mrope_section", {16, 24, 24}}};
  config["vision_config"] = {{"hidden_size", 1152},
                             {"intermediate_size", 4304},
                             {"num_hidden_layers", 27},
                             {"num_attention_heads", 16},
                             {"image_size", 384}};
  const Shapes shapes = demanded(config, "{}");
  EXPECT_EQ(shapes.size(), 607u);
  EXPECT_EQ(numbers_in(shapes), 799'695'472);
  EXPECT_EQ(sha256_of(shapes), "9e6c190fa2fc3c08ed8bd4316131d2aa9ae8bc19fd9eb203e621b8881b360ee5");
  EXPECT_EQ(memory_cell(config, "{}"), "2.9 / 2.8");
}

json qwen2_vl(int vocab, int hidden, int intermediate, int layers, int heads, int kv, bool tied) {
  json config = {{"model_type", "qwen2_vl"},    {"vocab_size", vocab},
                 {"hidden_size", hidden},       {"intermediate_size", intermediate},
                 {"num_hidden_layers", layers}, {"num_attention_heads", heads},
                 {"num_key_value_heads", kv},   {"rope_theta", 1e6},
                 {"tie_word_embeddings", tied}};
  config["rope_scaling"] = {{"type", "mrope"}, {"mrope_section", {16, 24, 24}}};
  if (hidden / heads == 64) config["rope_scaling"]["mrope_section"] = {8, 12, 12};
  config["vision_config"] = {
      {"depth", 32}, {"embed_dim", 1280}, {"hidden_size", hidden}, {"num_heads", 16}};
  return config;
}

// As published (2.21 B, 8.29 B; MinerU2.5 says 1.2 B), and as transformers 5.17 counts on the meta
// device.
TEST(FullSize, Qwen2VlHasThePublishedNumberOfParameters) {
  const Shapes shapes = demanded(qwen2_vl(151936, 1536, 8960, 28, 12, 2, true), "{}");
  EXPECT_EQ(shapes.size(), 729u);
  EXPECT_EQ(numbers_in(shapes), 2'208'985'600);
  EXPECT_EQ(sha256_of(shapes), "c5c52782919608488010652204376e1603e3a4283905cc03e0813fab193f83af");
  EXPECT_EQ(parameters(qwen2_vl(152064, 3584, 18944, 28, 28, 4, false), "{}"), 8'291'375'616);
  EXPECT_EQ(parameters(qwen2_vl(151936, 896, 4864, 24, 14, 2, true), "{}"), 1'156'026'624);
  EXPECT_EQ(memory_cell(qwen2_vl(151936, 1536, 8960, 28, 12, 2, true), "{}"), "5.8 / 4.8");
  EXPECT_EQ(memory_cell(qwen2_vl(152064, 3584, 18944, 28, 28, 4, false), "{}"), "18.3 / 11.7");
  EXPECT_EQ(memory_cell(qwen2_vl(151936, 896, 4864, 24, 14, 2, true), "{}"), "3.5 / 3.4");
}

// As transformers 5.17 counts on the meta device, then with the layer for further tokens, which is
// read where it is stored.
TEST(FullSize, GlmOcrHasTheParametersOfTheReference) {
  json text = {{"vocab_size", 59392},     {"hidden_size", 1536},       {"intermediate_size", 4608},
               {"num_hidden_layers", 16}, {"num_attention_heads", 16}, {"num_key_value_heads", 8},
               {"head_dim", 128}};
  text["rope_parameters"] = {
      {"rope_type", "default"}, {"mrope_section", {16, 24, 24}}, {"rope_theta", 1e4}};
  const json vision = {{"depth", 24},     {"hidden_size", 1024},     {"intermediate_size", 4096},
                       {"num_heads", 16}, {"out_hidden_size", 1536}, {"attention_bias", true}};
  const json config = {{"model_type", "glm_ocr"}, {"text_config", text}, {"vision_config", vision}};
  EXPECT_EQ(parameters(config, "{}"), 1'107'405'824);
  const Shapes shapes = demanded(config, "{}", "model.language_model.layers.16.eh_proj.weight");
  EXPECT_EQ(shapes.size(), 524u);
  EXPECT_EQ(numbers_in(shapes), 1'142'806'016);
  EXPECT_EQ(sha256_of(shapes), "0063ebf650e35647268a66b7e014a036f462f5918794df4005c16fb1c2a7806b");
  EXPECT_EQ(memory_cell(config, "{}", "model.language_model.layers.16.eh_proj.weight"),
            "4.6 / 4.1");
}

json llava(int vocab, int hidden, int intermediate, int layers, int heads, int kv, bool tied) {
  const json text = {{"model_type", "qwen2"},       {"vocab_size", vocab},
                     {"hidden_size", hidden},       {"intermediate_size", intermediate},
                     {"num_hidden_layers", layers}, {"num_attention_heads", heads},
                     {"num_key_value_heads", kv},   {"rope_theta", 1e6},
                     {"tie_word_embeddings", tied}};
  const json vision = {{"hidden_size", 1152},     {"intermediate_size", 4304}, {"patch_size", 14},
                       {"num_hidden_layers", 26}, {"num_attention_heads", 16}, {"image_size", 384},
                       {"vision_use_head", false}};
  return {{"model_type", "llava_onevision"},
          {"text_config", text},
          {"vision_config", vision},
          {"image_grid_pinpoints", {{384, 384}, {2304, 2304}}}};
}

// As transformers 5.17 counts on the meta device; the Hub's pages say 0.9 B and 8 B.
TEST(FullSize, LlavaOneVisionHasTheParametersOfTheReference) {
  EXPECT_EQ(parameters(llava(152000, 896, 4864, 24, 14, 2, true), "{}"), 893'675'552);
  EXPECT_EQ(parameters(llava(152128, 3584, 18944, 28, 28, 4, false), "{}"), 8'030'807'584);
  EXPECT_EQ(memory_cell(llava(152000, 896, 4864, 24, 14, 2, true), "{}"), "3.1 / 2.9");
  EXPECT_EQ(memory_cell(llava(152128, 3584, 18944, 28, 28, 4, false), "{}"), "18.0 / 11.4");
}

// As published (the Hub's page says 1 B), and as transformers 5.17 counts on the meta device; there
// with image_sep, which nothing uses and docspec reads where it is stored.
TEST(FullSize, HunyuanOcrHasThePublishedNumberOfParameters) {
  json config = {{"model_type", "hunyuan_vl"},  {"vocab_size", 120818},
                 {"hidden_size", 1024},         {"intermediate_size", 3584},
                 {"num_hidden_layers", 24},     {"num_attention_heads", 16},
                 {"num_key_value_heads", 8},    {"head_dim", 128},
                 {"tie_word_embeddings", true}, {"rope_theta", 1e4}};
  config["rope_scaling"] = {
      {"type", "xdrope"}, {"alpha", 1000.0}, {"xdrope_section", {16, 16, 16, 16}}};
  config["vision_config"] = {{"hidden_size", 1152},     {"intermediate_size", 4304},
                             {"num_hidden_layers", 27}, {"num_attention_heads", 16},
                             {"patch_size", 16},        {"max_image_size", 2048}};
  EXPECT_EQ(parameters(config, "{}") + 1024, 996'208'112);
  EXPECT_EQ(memory_cell(config, "{}"), "5.0 / 4.8");
}

json deepseek_text() {
  return {{"hidden_size", 1280},        {"intermediate_size", 6848}, {"moe_intermediate_size", 896},
          {"n_routed_experts", 64},     {"n_shared_experts", 2},     {"num_attention_heads", 10},
          {"num_experts_per_tok", 6},   {"num_hidden_layers", 12},   {"num_key_value_heads", 10},
          {"topk_method", "greedy"},    {"vocab_size", 129280},      {"kv_lora_rank", nullptr},
          {"first_k_dense_replace", 1}, {"use_mla", false},          {"n_group", 1}};
}

json deepseek_flat(const json& towers) {
  json config = deepseek_text();
  config["model_type"] = "deepseek_vl_v2";
  config["language_config"] = deepseek_text();
  config["vision_config"] = {{"image_size", 1024}, {"width", towers}};
  return config;
}

const json kSam = {{"heads", 12},
                   {"layers", 12},
                   {"width", 768},
                   {"downsample_channels", {512, 1024}},
                   {"global_attn_indexes", {2, 5, 8, 11}}};

// As published: 2,710 tensors of 3,336,106,240 numbers.
TEST(FullSize, DeepseekOcrHasThePublishedNumberOfParameters) {
  const json clip = {
      {"heads", 16}, {"image_size", 224}, {"layers", 24}, {"patch_size", 14}, {"width", 1024}};
  const json config = deepseek_flat({{"sam_vit_b", kSam}, {"clip-l-14-224", clip}});
  EXPECT_EQ(parameters(config, "{}"), 3'336'106'240);
  EXPECT_EQ(memory_cell(config, "{}"), "8.5 / 6.0");
}

// As transformers 5.24 initialises it on the meta device, by the Hub's names; the published file
// has CLIP's patches besides, which nothing reads (tests/oracle/full_size).
TEST(FullSize, UnlimitedOcrHasTheTensorsOfTheReference) {
  const json clip = {
      {"heads", 16}, {"image_size", 224}, {"layers", 24}, {"patch_size", 14}, {"width", 1024}};
  json config = deepseek_flat({{"sam_vit_b", kSam}, {"clip-l-14-224", clip}});
  config["model_type"] = "unlimited_ocr";
  config["sliding_window"] = 128;
  const Shapes shapes = demanded(config, "{}", "model.sam_model.pos_embed");
  EXPECT_EQ(shapes.size(), 2709u);
  EXPECT_EQ(numbers_in(shapes), 3'335'504'128);
  EXPECT_EQ(sha256_of(shapes), "b1cdf03a07681d10a0e97a04b6a4af8bf851cb7f87e3120fa0881316f962c3c1");
  EXPECT_EQ(memory_cell(config, "{}", "model.sam_model.pos_embed"), "8.5 / 6.0");
}

// As transformers 5.17 counts on the meta device, in both layouts.
TEST(FullSize, DeepseekOcr2HasTheParametersOfTheReference) {
  constexpr int64_t kParameters = 3'389'119'360;
  const json flat = deepseek_flat({{"sam_vit_b", kSam}, {"qwen2-0-5b", {{"dim", 896}}}});
  EXPECT_EQ(parameters(flat, "{}"), kParameters);
  EXPECT_EQ(memory_cell(flat, "{}"), "8.6 / 6.0");
  json nested = {{"model_type", "deepseek_ocr2"}, {"text_config", deepseek_text()}};
  nested["vision_config"]["sam_config"] = {{"hidden_size", 768},
                                           {"downsample_channels", {512, 896}}};
  nested["vision_config"]["encoder_config"] = {{"hidden_size", 896},
                                               {"num_hidden_layers", 24},
                                               {"num_attention_heads", 14},
                                               {"num_key_value_heads", 2},
                                               {"intermediate_size", 4864}};
  EXPECT_EQ(parameters(nested, R"({"tile_size": 768})"), kParameters);
}

}  // namespace
}  // namespace docspec
