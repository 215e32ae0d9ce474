#include "core/model/families/model_report.h"

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/ops/ops.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

using test::TempDir;
using test::write_file;

const std::filesystem::path kModel = test::oracle_folder("qwen2_5_vl/nested/model");

const std::filesystem::path kFamilies = test::share_dir() + "/families";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ModelReport, InfoNamesFamilyParametersLicenceAndHashes) {
  TempDir dir;
  write_file(dir / "config.json", R"({"model_type":"toy","torch_dtype":"bfloat16"})");
  write_file(dir / "model.safetensors",
             test::safetensors_bytes({{"a", "U8", {2, 3}, "abcdef"}, {"b", "F32", {1}, "abcd"}}));
  const std::string text = model_info(dir.path(), kFamilies).text;
  EXPECT_TRUE(has(text, "toy (not known to this docspec")) << text;
  EXPECT_TRUE(has(text, "7 (F32 1, U8 6)")) << text;
  EXPECT_TRUE(has(text, "bfloat16")) << text;
  EXPECT_TRUE(has(text, "unknown: see its model card")) << text;
  EXPECT_TRUE(has(text, sha256_hex_of_file(dir / "config.json"))) << text;
}

TEST(ModelReport, InfoSaysWhichFileTellsHowTheModelIsAskedAndWhy) {
  TempDir dir;
  write_file(dir / "model.safetensors", test::safetensors_bytes({{"a", "U8", {1}, "a"}}));
  const auto said = [&](const char* config) {
    write_file(dir / "config.json", config);
    return model_info(dir.path(), kFamilies).text;
  };
  EXPECT_TRUE(has(said(R"({"model_type":"qwen2_5_vl"})"), "qwen2_5_vl.json (that of its family)"));
  EXPECT_TRUE(has(said(R"({"model_type":"qwen2_5_vl","_name_or_path":"x/RolmOCR"})"),
                  "rolmocr.json (recognised by _name_or_path of config.json: RolmOCR)"));
  write_file(dir / "docspec.json", R"({"prompts": "olmocr"})");
  EXPECT_TRUE(has(said(R"({"model_type":"qwen2_5_vl"})"),
                  "olmocr.json (docspec.json names it) and docspec.json"));
}

TEST(ModelReport, LicenceComesFromReadmeThenLicenceFile) {
  TempDir dir;
  EXPECT_EQ(stated_licence(dir.path()), "unknown: see its model card");
  write_file(dir / "LICENSE", "\n  Apache License\nVersion 2.0\n");
  EXPECT_EQ(stated_licence(dir.path()), "Apache License (LICENSE)");
  write_file(dir / "README.md", "---\ntags: [x]\nlicense: \"mit\"\n---\nlicense: no\n");
  EXPECT_EQ(stated_licence(dir.path()), "mit (README.md)");
  write_file(dir / "README.md", "# no front matter\nlicense: no\n");
  EXPECT_EQ(stated_licence(dir.path()), "Apache License (LICENSE)");
}

TEST(ModelReport, VerifyFindsWhatIsMissing) {
  const auto ops = make_aten_ops();
  const ModelReport good = model_verify(kModel, *ops);
  EXPECT_EQ(good.code, ExitCode::ok) << good.text;
  EXPECT_TRUE(has(good.text, "usable")) << good.text;
  TempDir dir;
  write_file(dir / "model.safetensors", test::safetensors_bytes({{"stray", "U8", {1}, "a"}}));
  for (const char* name : {"config.json", "processor_config.json"})
    std::filesystem::copy_file(kModel / name, dir / name);
  const ModelReport bad = model_verify(dir.path(), *ops);
  EXPECT_EQ(bad.code, ExitCode::dependency);
  EXPECT_TRUE(has(bad.text, "visual.blocks.0.norm1.weight: missing")) << bad.text;
  EXPECT_TRUE(has(bad.text, "tokenizer.json")) << bad.text;
  EXPECT_TRUE(has(bad.text, "  stray\n")) << bad.text;
  EXPECT_TRUE(has(bad.text, "not usable")) << bad.text;
}

}  // namespace
}  // namespace docspec
