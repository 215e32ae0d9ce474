#include "core/model/checkpoint/config_reader.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace docspec {
namespace {

using nlohmann::json;

std::string said(const std::function<void()>& call) {
  try {
    call();
    return "";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::dependency);
    return e.what();
  }
}

// The same model in the layout of transformers 5 and in that of the Hub.
const json kNested = json::parse(R"({
  "model_type":"qwen2_5_vl","tie_word_embeddings":true,"dtype":"bfloat16",
  "text_config":{"hidden_size":8,"rms_norm_eps":1e-6,
    "rope_parameters":{"rope_type":"default","rope_theta":1000000.0,"mrope_section":[2,3,3]}},
  "vision_config":{"depth":2,"fullatt_block_indexes":[1]}})");
const json kFlat = json::parse(R"({
  "model_type":"qwen2_5_vl","tie_word_embeddings":true,"torch_dtype":"torch.bfloat16",
  "hidden_size":8,"rms_norm_eps":1e-6,"rope_theta":1000000.0,
  "rope_scaling":{"type":"default","mrope_section":[2,3,3]},
  "vision_config":{"depth":2,"fullatt_block_indexes":[1]}})");

TEST(ConfigReader, BothLayoutsGiveTheSameValues) {
  for (const json& root : {kNested, kFlat}) {
    const ConfigReader top(root), text = top.text(), vision = top.vision();
    EXPECT_EQ(top.string("model_type"), "qwen2_5_vl");
    EXPECT_EQ(text.count("hidden_size"), 8);
    EXPECT_DOUBLE_EQ(text.number("rms_norm_eps"), 1e-6);
    EXPECT_TRUE(text.boolean("tie_word_embeddings"));
    EXPECT_EQ(top.dtype(), "bfloat16");
    EXPECT_DOUBLE_EQ(text.rope().theta, 1e6);
    EXPECT_EQ(text.rope().type, "default");
    EXPECT_EQ(text.rope().mrope_section, (std::vector<int64_t>{2, 3, 3}));
    EXPECT_EQ(vision.integers("fullatt_block_indexes"), std::vector<int64_t>{1});
    EXPECT_FALSE(vision.has("hidden_size")) << "the vision tower has its own sizes";
  }
}

TEST(ConfigReader, MissingKeysAreNamedWithPlace) {
  const ConfigReader top(kNested);
  EXPECT_EQ(
      said([&] { top.text().count("num_attention_heads"); }),
      "config.json: missing key 'num_attention_heads' (looked in text_config and at top level)");
  EXPECT_EQ(said([&] { top.vision().count("hidden_size"); }),
            "config.json: missing key 'hidden_size' (looked in vision_config)");
  const json empty = json::object();
  EXPECT_EQ(said([&] { ConfigReader(empty, "m/config.json").vision(); }),
            "m/config.json: missing key 'vision_config' (looked at top level)");
}

TEST(ConfigReader, WrongTypesAreNamedWithValue) {
  const json root = json::parse(
      R"({"a":"x","b":0,"c":2.5,"d":3000000000,"e":[1,"y"],"f":18446744073709551615,"g":null,)"
      R"("rope_scaling":{"rope_theta":-1},"text_config":3})");
  const ConfigReader top(root);
  EXPECT_EQ(said([&] { top.integer("a"); }), "config.json: key 'a' is \"x\", expected an integer");
  EXPECT_NE(said([&] { top.count("b"); }), "");
  EXPECT_NE(said([&] { top.integer("c"); }), "");
  EXPECT_NE(said([&] { top.count("d"); }), "");
  EXPECT_NE(said([&] { top.integers("e"); }), "");
  EXPECT_NE(said([&] { top.integer("f"); }), "");
  EXPECT_NE(said([&] { top.boolean("a"); }), "");
  EXPECT_NE(said([&] { top.string("b"); }), "");
  EXPECT_NE(said([&] { top.number("a"); }), "");
  EXPECT_NE(said([&] { top.rope(); }), "");
  EXPECT_NE(said([&] { top.text(); }), "");
  EXPECT_EQ(top.integer("g", 4), 4) << "null counts as absent";
  EXPECT_NE(said([] { ConfigReader(json::array()); }), "");
}

}  // namespace
}  // namespace docspec
