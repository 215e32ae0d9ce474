#include "core/model/checkpoint/checkpoint.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

using test::RawTensor;
using test::safetensors_bytes;
using test::TempDir;
using test::write_file;

template <typename T>
std::string bytes_of(std::initializer_list<T> values) {
  std::string out(values.size() * sizeof(T), '\0');
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

// A folder with config.json and what a test adds.
class CheckpointFaults : public ::testing::Test {
 protected:
  CheckpointFaults() { write_file(dir / "config.json", R"({"model_type":"toy"})"); }

  // What opening the folder says; "" when it opens.
  std::string complaint() {
    try {
      Checkpoint opened(dir.path());
      return "";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::dependency);
      return e.what();
    }
  }
  void single(const std::string& header, const std::string& data = std::string(16, '\0')) {
    write_file(dir / "model.safetensors", safetensors_bytes(header, data));
  }
  TempDir dir;
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(Checkpoint, ReadsEachDtypeAsStored) {
  TempDir dir;
  write_file(dir / "config.json", "{}");
  std::string half(2, '\0');
  half[1] = 0x3c;  // 1.0 as F16
  std::string bfloat(2, '\0');
  bfloat[0] = char(0x80), bfloat[1] = 0x3f;  // 1.0 as BF16
  write_file(dir / "model.safetensors",
             safetensors_bytes({{"f64", "F64", {1}, bytes_of<double>({2.5})},
                                {"f32", "F32", {2, 2}, bytes_of<float>({1, 2, 3, 4})},
                                {"f16", "F16", {1}, half},
                                {"bf16", "BF16", {1, 1}, bfloat},
                                {"i64", "I64", {1}, bytes_of<int64_t>({-7})},
                                {"i32", "I32", {1}, bytes_of<int32_t>({-8})},
                                {"i16", "I16", {1}, bytes_of<int16_t>({-9})},
                                {"i8", "I8", {1}, bytes_of<int8_t>({-10})},
                                {"u8", "U8", {1}, bytes_of<uint8_t>({200})},
                                {"bool", "BOOL", {2}, bytes_of<uint8_t>({1, 0})},
                                {"none", "F32", {0, 3}, ""},
                                {"f8", "F8_E4M3", {2}, "ab"}}));
  at::Tensor kept;
  {
    const Checkpoint checkpoint(dir.path());
    ASSERT_EQ(checkpoint.tensors().size(), 12u);
    kept = checkpoint.tensor("f32", {2, 2});
    EXPECT_EQ(checkpoint.tensor("f64").item<double>(), 2.5);
    EXPECT_EQ(checkpoint.tensor("f16").item<float>(), 1);
    EXPECT_EQ(checkpoint.tensor("bf16", {1, 1}).item<float>(), 1);
    EXPECT_EQ(checkpoint.tensor("i64").item<int64_t>(), -7);
    EXPECT_EQ(checkpoint.tensor("i32").item<int>(), -8);
    EXPECT_EQ(checkpoint.tensor("i16").item<int>(), -9);
    EXPECT_EQ(checkpoint.tensor("i8").item<int>(), -10);
    EXPECT_EQ(checkpoint.tensor("u8").item<int>(), 200);
    EXPECT_TRUE(checkpoint.tensor("bool")[0].item<bool>());
    EXPECT_FALSE(checkpoint.tensor("bool")[1].item<bool>());
    EXPECT_EQ(checkpoint.tensor("none").numel(), 0);
    EXPECT_EQ(checkpoint.unknown(), std::vector<std::string>{"f8"});
    EXPECT_THROW(checkpoint.tensor("f8"), Error);
  }
  EXPECT_EQ(kept[1][0].item<float>(), 3) << "the view must keep the map alive";
}

TEST(Checkpoint, CopiesOnlyValuesAtOddAddresses) {
  TempDir dir;
  write_file(dir / "config.json", "{}");
  const std::string header = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}} )";
  for (int pad = 0; pad < 8; ++pad) {
    write_file(dir / "model.safetensors",
               safetensors_bytes(header + std::string(size_t(pad), ' '), bytes_of<float>({5, 6})));
    const at::Tensor w = Checkpoint(dir.path()).tensor("w", {2});
    EXPECT_EQ(w[0].item<float>(), 5);
    EXPECT_EQ(w[1].item<float>(), 6);
  }
}

TEST(Checkpoint, AReleasedTensorIsReadAgainFromTheFile) {
  test::TempDir dir;
  test::write_file(dir / "config.json", "{}");
  std::string bytes(100'000, 'a');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(i % 251);
  test::write_file(dir / "model.safetensors",
                   test::safetensors_bytes({{"t", "U8", {100'000}, bytes}}));
  const Checkpoint checkpoint(dir.path());
  const at::Tensor stored = checkpoint.tensor("t"), before = stored.clone();
  checkpoint.release("t");
  checkpoint.release("unknown");
  EXPECT_TRUE(at::equal(stored, before));
}

TEST(Checkpoint, ReadsShardsThroughTheIndexAndOptionalJson) {
  TempDir dir;
  write_file(dir / "config.json", R"({"model_type":"toy"})");
  write_file(dir / "a.safetensors", safetensors_bytes({{"x", "F32", {1}, bytes_of<float>({1})}}));
  write_file(dir / "b.safetensors", safetensors_bytes({{"y", "F32", {1}, bytes_of<float>({2})}}));
  write_file(dir / "model.safetensors.index.json",
             R"({"metadata":{},"weight_map":{"x":"a.safetensors","y":"b.safetensors"}})");
  const Checkpoint checkpoint(dir.path());
  EXPECT_EQ(checkpoint.config()["model_type"], "toy");
  EXPECT_TRUE(checkpoint.json("generation_config.json").is_null());
  EXPECT_TRUE(checkpoint.has("y"));
  EXPECT_FALSE(checkpoint.has("z"));
  EXPECT_EQ(checkpoint.tensor("y", {1}).item<float>(), 2);
  EXPECT_EQ(checkpoint.unknown(), std::vector<std::string>{"x"});
  EXPECT_EQ(checkpoint.tensors()[1].file, "b.safetensors");
  write_file(dir / "generation_config.json", "{nope");
  EXPECT_THROW(checkpoint.json("generation_config.json"), Error);
}

TEST_F(CheckpointFaults, FolderAndFiles) {
  try {
    Checkpoint(dir / "absent");
    FAIL();
  } catch (const Error& e) {
    EXPECT_HAS(std::string(e.what()), "absent");
  }
  EXPECT_HAS(complaint(), "model.safetensors");
  write_file(dir / "model.safetensors", "");
  EXPECT_HAS(complaint(), "model.safetensors: header truncated");
  write_file(dir / "config.json", "{\"a\":");
  EXPECT_HAS(complaint(), "config.json: not JSON");
  write_file(dir / "config.json", "[]");
  EXPECT_HAS(complaint(), "config.json: not a JSON object");
  std::filesystem::remove(dir / "config.json");
  EXPECT_HAS(complaint(), "config.json");
}

TEST_F(CheckpointFaults, HeaderIsChecked) {
  const std::string good = R"({"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})";
  single(good);
  EXPECT_EQ(complaint(), "");
  const std::string whole = safetensors_bytes(good, std::string(16, '\0'));
  for (size_t length = 0; length < whole.size(); ++length) {
    write_file(dir / "model.safetensors", whole.substr(0, length));
    EXPECT_HAS(complaint(), "model.safetensors") << "cut at " << length;
  }
  write_file(dir / "model.safetensors", std::string(8, '\xff') + good);
  EXPECT_HAS(complaint(), "header truncated");
  single("[1]");
  EXPECT_HAS(complaint(), "not a JSON object");
  single(std::string(100'000, '['));
  EXPECT_HAS(complaint(), "nested deeper");
  single("{");
  EXPECT_HAS(complaint(), "not JSON");
}

TEST_F(CheckpointFaults, EachEntryIsChecked) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"w":5})", "not an object"},
      {R"({"w":{"shape":[4],"data_offsets":[0,16]}})", "'dtype'"},
      {R"({"w":{"dtype":"F99","shape":[4],"data_offsets":[0,16]}})", "F99"},
      {R"({"w":{"dtype":"F32","data_offsets":[0,16]}})", "'shape'"},
      {R"({"w":{"dtype":"F32","shape":[-4],"data_offsets":[0,16]}})", "'shape'"},
      {R"({"w":{"dtype":"F32","shape":[4.0],"data_offsets":[0,16]}})", "'shape'"},
      {R"({"w":{"dtype":"F32","shape":[9223372036854775807,3],"data_offsets":[0,16]}})",
       "overflow"},
      {R"({"w":{"dtype":"F32","shape":[4]}})", "'data_offsets'"},
      {R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0]}})", "'data_offsets'"},
      {R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[16,0]}})", "'data_offsets'"},
      {R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[4,20]}})", "outside"},
      {R"({"w":{"dtype":"F32","shape":[3],"data_offsets":[0,16]}})", "need 12"},
      {R"({"v":{"dtype":"U8","shape":[9],"data_offsets":[0,9]},)"
       R"("w":{"dtype":"U8","shape":[8],"data_offsets":[8,16]}})",
       "overlaps tensor 'v'"},
      {R"({"w":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},)"
       R"("w":{"dtype":"U8","shape":[8],"data_offsets":[8,16]}})",
       "twice"}};
  for (const auto& [header, part] : cases) {
    single(header);
    const std::string said = complaint();
    EXPECT_HAS(said, part);
    EXPECT_HAS(said, "model.safetensors: tensor 'w'");
  }
}

TEST_F(CheckpointFaults, ShardsAreChecked) {
  const auto index = [&](const char* text) {
    write_file(dir / "model.safetensors.index.json", text);
  };
  index("{}");
  EXPECT_HAS(complaint(), "'weight_map'");
  index(R"({"weight_map":{"x":7}})");
  EXPECT_HAS(complaint(), "weight_map['x']");
  index(R"({"weight_map":{"x":"../a.safetensors"}})");
  EXPECT_HAS(complaint(), "not a file name");
  index(R"({"weight_map":{"x":"a.safetensors"}})");
  EXPECT_HAS(complaint(), "shard 'a.safetensors' of tensor 'x' is missing");
  write_file(dir / "a.safetensors", safetensors_bytes({{"y", "U8", {1}, "a"}}));
  EXPECT_HAS(complaint(), "tensor 'x' is missing");
  index(R"({"weight_map":{"x":"b.safetensors","y":"a.safetensors"}})");
  write_file(dir / "b.safetensors",
             safetensors_bytes({{"x", "U8", {1}, "a"}, {"y", "U8", {1}, "b"}}));
  EXPECT_HAS(complaint(), "tensor 'y' is in 'b.safetensors' too");
}

TEST_F(CheckpointFaults, WrongShapeAndMissingTensorNameTheTensor) {
  write_file(dir / "model.safetensors", safetensors_bytes({{"w", "U8", {2, 3}, "abcdef"}}));
  const Checkpoint checkpoint(dir.path());
  const auto said = [&](const char* name, std::vector<int64_t> shape) -> std::string {
    try {
      checkpoint.tensor(name, shape);
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_EQ(said("w", {2, 3}), "");
  EXPECT_HAS(said("w", {3, 2}), "tensor 'w': has shape [2, 3], config.json asks for [3, 2]");
  EXPECT_HAS(said("v", {}), "tensor 'v' is missing");
}

}  // namespace
}  // namespace docspec
