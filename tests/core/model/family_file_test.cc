#include "core/model/family_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/markup/registry.h"
#include "core/model/prompt_set.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kFamilies = fs::path(DOCSPEC_SOURCE_DIR) / "share" / "families";

std::string file_for(const fs::path& model, const json& config, const json& own = nullptr) {
  return find_family_file(model, config, own, kFamilies).path.filename().string();
}

TEST(FamilyFile, AFineTuneIsKnownByItsNameInTheConfigThenByItsFolder) {
  const json qwen = {{"model_type", "qwen2_5_vl"}};
  json named = qwen;
  named["_name_or_path"] = "reducto/RolmOCR";
  EXPECT_EQ(file_for("/models/any", qwen), "qwen2_5_vl.json");
  EXPECT_EQ(file_for("/models/any", named), "rolmocr.json");
  EXPECT_EQ(file_for("/models/Nanonets-OCR-s/", qwen), "nanonets_ocr_s.json");
  EXPECT_EQ(file_for("/models/Nanonets-OCR-s", named), "rolmocr.json") << "the config comes first";
  EXPECT_EQ(file_for("/models/RolmOCR", {{"model_type", "qwen3_vl"}}), "qwen3_vl.json")
      << "a file for another architecture is not taken";
  EXPECT_EQ(file_for("/models/chandra-ocr-2", {{"model_type", "qwen3_5"}}), "chandra2.json");
  EXPECT_EQ(file_for("/models/chandra", {{"model_type", "qwen3_vl"}}), "chandra.json");
}

TEST(FamilyFile, TheModelsOwnFileChooses) {
  const json config = {{"model_type", "qwen2_5_vl"}, {"_name_or_path", "RolmOCR"}};
  EXPECT_EQ(file_for("/models/any", config, {{"prompts", "olmocr"}}), "olmocr.json");
  for (const char* name : {"nothing", "../families/olmocr"}) try {
      file_for("/models/any", config, {{"prompts", name}});
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::dependency);
      EXPECT_NE(std::string(e.what()).find("/models/any/docspec.json: prompts"), std::string::npos);
    }
}

TEST(FamilyFile, EveryShippedFileIsCompleteAndSaysWhereItsPromptsAreFrom) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(kFamilies)) {
    const json file = read_json(entry.path());
    const PromptSet prompts(file, nullptr, entry.path().string());  // throws for what is wrong
    EXPECT_NO_THROW(make_dialect(prompts.dialect())) << entry.path();
    EXPECT_TRUE(file.contains("sources")) << entry.path();
    for (const char* stage : {"text", "table", "formula"})
      EXPECT_TRUE(prompts.asks(stage)) << entry.path() << " " << stage;
    ++files;
  }
  EXPECT_GT(files, 15);
}

TEST(FamilyFile, ThePagesAreDrawnInTheModelsDotsPerInch) {
  test::TempDir dir;
  EXPECT_EQ(dpi_of_model(dir.path(), kFamilies), std::nullopt) << "no config.json";
  test::write_file(dir / "config.json",
                   R"({"model_type": "qwen3_vl", "_name_or_path": "datalab-to/chandra"})");
  EXPECT_EQ(dpi_of_model(dir.path(), kFamilies), 192);
  test::write_file(dir / "docspec.json", R"({"dpi": 150})");
  EXPECT_EQ(dpi_of_model(dir.path(), kFamilies), 150);
}

}  // namespace
}  // namespace docspec
