#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/model/families/registry.h"
#include "core/ops/ops.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/files.h"
#include "tests/support/oracle_case.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

using nlohmann::json;

/// The complaint about this config.json in the folder of the committed checkpoint.
std::string complaint(const json& config) {
  const std::filesystem::path model =
      test::OracleCase(test::oracle_folder("unlimited_ocr/hub_tied")).model();
  test::TempDir dir;
  for (const auto& file : std::filesystem::directory_iterator(model))
    if (file.path().filename() != "config.json")
      std::filesystem::create_symlink(file.path(), dir / file.path().filename());
  test::write_file(dir / "config.json", config.dump());
  const auto ops = make_cpu_ops();
  try {
    load_vlm(dir.path(), {"f32", "cpu", DOCSPEC_SOURCE_DIR "/share"}, *ops);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::dependency);
    return error.what();
  }
  return "";
}

json stored() {
  return read_json(test::OracleCase(test::oracle_folder("unlimited_ocr/hub_tied")).model() /
                   "config.json");
}

TEST(UnlimitedOcr, ReadsTheConfigAsItIs) {
  EXPECT_EQ(complaint(stored()), "");
}

TEST(UnlimitedOcr, AWindowThatIsNoneNamesItsKey) {
  for (const json& window :
       {json(0), json(-1), json("128"), json(12.5), json::array({128}), json(true)}) {
    json config = stored();
    config["sliding_window"] = window;
    EXPECT_NE(complaint(config).find("'sliding_window' is " + window.dump()), std::string::npos)
        << complaint(config);
  }
  json config = stored();
  config.erase("sliding_window");
  EXPECT_NE(complaint(config).find("missing key 'sliding_window'"), std::string::npos)
      << complaint(config);
}

TEST(UnlimitedOcr, ALanguageModelThatIsNotDescribedIsAnError) {
  json config = stored();
  config.erase("language_config");
  EXPECT_NE(complaint(config).find("neither language_config nor text_config"), std::string::npos)
      << complaint(config);
  config["language_config"] = 7;
  EXPECT_NE(complaint(config).find("language_config"), std::string::npos) << complaint(config);
}

TEST(UnlimitedOcr, LayersWithoutTheWindowAreRefused) {
  json config = stored();
  config["language_config"]["layer_types"] = {"reference_sliding_attention", "full_attention",
                                              "reference_sliding_attention"};
  EXPECT_NE(complaint(config).find("layer_types: 'full_attention'"), std::string::npos)
      << complaint(config);
}

}  // namespace
}  // namespace docspec
