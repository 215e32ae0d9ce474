// A model folder that cannot be used: exit 4, a message that names file and key, nothing written.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/support/checkpoint_writer.h"
#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/png_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kModel = oracle_folder("qwen2_5_vl/nested/model");

/// A copy of the tiny model that a test breaks.
class ModelErrors : public ::testing::Test {
 protected:
  ModelErrors() { fs::copy(kModel, model); }

  fs::path file(const char* name) const { return model / name; }
  void cut_weights(size_t bytes) const {
    const fs::path path = file("model.safetensors");
    fs::resize_file(path, fs::file_size(path) - bytes);
  }
  void edit_json(const char* name, const std::function<void(json&)>& edit) const {
    json content = json::parse(read_file(file(name)));
    edit(content);
    write_file(file(name), content.dump());
  }
  /// Changes one tensor's entry in the header; the data stay as they are.
  void edit_tensor(const char* tensor, const char* key, const json& value) const {
    const std::string bytes = read_file(file("model.safetensors"));
    uint64_t length = 0;
    for (size_t i = 8; i-- > 0;) length = length << 8 | uint8_t(bytes[i]);
    json header = json::parse(bytes.substr(8, length));
    header.at(tensor).at(key) = value;
    write_file(file("model.safetensors"),
               safetensors_bytes(header.dump(), bytes.substr(8 + length)));
  }

  CommandResult convert(int width_px = 84) const {
    PageImage image(1, width_px, 56, 200);
    for (int y = 8; y < 48; ++y) std::fill_n(image.row(y), width_px * 3, uint8_t(0));
    write_file(dir / "page.png", png_bytes(image));
    return docspec({"convert", dir / "page.png", "--model", model, "--draft", "none",
                    "--max-new-tokens", "2", "--trace", dir / "trace", "-o", dir / "out.md"});
  }
  bool wrote() const { return fs::exists(dir / "out.md") || fs::exists(dir / "trace"); }

  /// convert and verify both end with 4 and say each of `words`; convert writes nothing.
  void expect_refused(std::initializer_list<const char*> words) const {
    const CommandResult converted = convert();
    const CommandResult verified = docspec({"model", "verify", model});
    EXPECT_EQ(converted.code, 4) << converted.err;
    EXPECT_EQ(verified.code, 4) << verified.out << verified.err;
    EXPECT_FALSE(wrote());
    for (const char* word : words) {
      EXPECT_NE(converted.err.find(word), std::string::npos) << word << " in: " << converted.err;
      const std::string said = verified.out + verified.err;
      EXPECT_NE(said.find(word), std::string::npos) << word << " in: " << said;
    }
  }

  TempDir dir;
  const fs::path model = dir / "model";
};

TEST_F(ModelErrors, TheModelAsItIsHasNone) {
  const CommandResult converted = convert();
  EXPECT_TRUE(converted.code == 0 || converted.code == 3) << converted.err;
  EXPECT_TRUE(wrote());
  EXPECT_EQ(docspec({"model", "verify", model}).code, 0);
}

TEST_F(ModelErrors, AFolderThatIsNoneOrHasNoWeights) {
  fs::remove(file("model.safetensors"));
  expect_refused({"model: neither model.safetensors nor model.safetensors.index.json"});
  fs::remove_all(model);
  expect_refused({"model: there is no such folder"});
}

TEST_F(ModelErrors, WeightsThatAreTruncatedOrNoSafetensors) {
  cut_weights(1000);
  expect_refused({"model.safetensors: tensor '", "data_offsets", "truncated"});
  fs::resize_file(file("model.safetensors"), 100);
  expect_refused({"model.safetensors: header truncated"});
  write_file(file("model.safetensors"), std::string(4096, '{'));
  expect_refused({"model.safetensors: header truncated"});
}

TEST_F(ModelErrors, ATensorOfAnotherShape) {
  edit_tensor("model.language_model.layers.1.mlp.up_proj.weight", "shape", {64, 160});
  expect_refused(
      {"model.language_model.layers.1.mlp.up_proj.weight: shape [64, 160], expected "
       "[160, 64]"});
}

TEST_F(ModelErrors, ATensorOfAnotherDtype) {
  edit_tensor("model.visual.patch_embed.proj.weight", "dtype", "I16");
  expect_refused({"model.visual.patch_embed.proj.weight: dtype", "expected floats"});
}

TEST_F(ModelErrors, AnUnknownModelType) {
  edit_json("config.json", [](json& config) { config["model_type"] = "qwen9_vl"; });
  expect_refused({"config.json: model_type 'qwen9_vl' is not known", "qwen2_5_vl"});
}

TEST_F(ModelErrors, AConfigWithoutANeededKey) {
  edit_json("config.json", [](json& config) { config["text_config"].erase("hidden_size"); });
  expect_refused({"config.json: missing key 'hidden_size'"});
  edit_json("config.json", [](json& config) { config.erase("model_type"); });
  expect_refused({"config.json: missing key 'model_type'"});
  write_file(file("config.json"), "{\"model_type\": ");
  expect_refused({"config.json: not JSON"});
}

TEST_F(ModelErrors, ATokenizerWithoutMergesOrNone) {
  edit_json("tokenizer.json", [](json& tokenizer) { tokenizer["model"].erase("merges"); });
  expect_refused({"tokenizer.json", "merges"});
  fs::remove(file("tokenizer.json"));
  expect_refused({"tokenizer.json"});
}

TEST_F(ModelErrors, ImageSettingsThatAreMissingOrWrong) {
  edit_json("processor_config.json",
            [](json& processor) { processor["image_processor"]["patch_size"] = "14"; });
  expect_refused({" processor_config.json: image_processor: key 'patch_size'"});
  fs::remove(file("processor_config.json"));
  expect_refused({"neither preprocessor_config.json nor processor_config.json"});
}

TEST_F(ModelErrors, GenerationSettingsThatAreWrong) {
  edit_json("generation_config.json", [](json& settings) { settings["repetition_penalty"] = 0; });
  const CommandResult converted = convert();
  EXPECT_EQ(converted.code, 4) << converted.err;
  EXPECT_NE(converted.err.find("generation_config.json: repetition_penalty"), std::string::npos)
      << converted.err;
  EXPECT_FALSE(wrote());
}

TEST_F(ModelErrors, AnImageOnePixelWide) {
  const CommandResult converted = convert(1);
  EXPECT_TRUE(converted.code == 2 || converted.code == 3) << converted.code << converted.err;
  EXPECT_NE(converted.err.find("image of 1 x 56 pixels: too narrow"), std::string::npos)
      << converted.err;
}

TEST_F(ModelErrors, InfoTellsWhatTheFolderHolds) {
  const CommandResult info = docspec({"model", "info", model});
  EXPECT_EQ(info.code, 0) << info.err;
  for (const char* line : {"family      qwen2_5_vl\n", "(BF16 ", "dtype       bfloat16\n",
                           "licence     unknown", "  model.safetensors  1,061,808  "})
    EXPECT_NE(info.out.find(line), std::string::npos) << line << " in: " << info.out;
  const CommandResult none = docspec({"model", "info", dir / "absent"});
  EXPECT_EQ(none.code, 4);
  EXPECT_NE(none.err.find("absent: there is no such folder"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace docspec::test
