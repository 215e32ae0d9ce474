#include "core/model/checkpoint/weights.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/error.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

std::string floats(std::initializer_list<float> values) {
  std::string out(values.size() * sizeof(float), '\0');
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

class WeightsFaults : public ::testing::Test {
 protected:
  WeightsFaults() {
    test::write_file(dir_ / "config.json", "{}");
    test::write_file(
        dir_ / "model.safetensors",
        test::safetensors_bytes({{"a.weight", "F32", {2, 3}, floats({1, 2, 3, 4, 5, 6})},
                                 {"a.bias", "F32", {2}, floats({7, 8})},
                                 {"n.weight", "I32", {1}, "abcd"}}));
    checkpoint_ = std::make_unique<Checkpoint>(dir_.path());
  }

  test::TempDir dir_;
  std::unique_ptr<Checkpoint> checkpoint_;
};

TEST_F(WeightsFaults, NoneWhereEverythingFits) {
  Weights weights(*checkpoint_, at::kFloat, at::kCPU);
  const Linear layer = weights.linear("a", 3, 2, true);
  EXPECT_TRUE(at::equal(layer(at::ones({1, 3})), at::tensor({13.f, 23.f}).view({1, 2})));
  EXPECT_TRUE(weights.faults().empty());
  EXPECT_NO_THROW(weights.require_all());
  EXPECT_EQ(weights.expected().size(), 2u);
  EXPECT_EQ(checkpoint_->unknown(), std::vector<std::string>{"n.weight"});
}

TEST_F(WeightsFaults, AreAllCollectedAndSaidAtOnce) {
  Weights weights(*checkpoint_, at::kFloat, at::kCPU);
  EXPECT_FALSE(weights.get("a.weight", {3, 2}).defined());
  EXPECT_FALSE(weights.get("b.weight", {4}).defined());
  EXPECT_FALSE(weights.norm("n", 1, 1e-6).weight.defined());
  EXPECT_EQ(weights.faults(), (std::vector<std::string>{"a.weight: shape [2, 3], expected [3, 2]",
                                                        "b.weight: missing, expected [4]",
                                                        "n.weight: dtype Int, expected floats"}));
  try {
    weights.require_all();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::dependency);
    for (const std::string& fault : weights.faults())
      EXPECT_NE(std::string(e.what()).find(fault), std::string::npos) << e.what();
  }
}

TEST_F(WeightsFaults, ManyAreCounted) {
  Weights weights(*checkpoint_, at::kFloat, at::kCPU);
  for (int i = 0; i < 9; ++i) weights.get("layer." + std::to_string(i), {1});
  try {
    weights.require_all();
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("and 4 more"), std::string::npos) << e.what();
  }
}

TEST_F(WeightsFaults, ATensorOfTheDtypeAskedForIsAViewOfTheFile) {
  Weights stored(*checkpoint_, at::kFloat, at::kCPU), halved(*checkpoint_, at::kBFloat16, at::kCPU);
  const at::Tensor view = stored.get("a.weight", {2, 3});
  EXPECT_EQ(view.const_data_ptr(), checkpoint_->tensor("a.weight").const_data_ptr());
  EXPECT_EQ(halved.get("a.weight", {2, 3}).scalar_type(), at::kBFloat16);
}

}  // namespace
}  // namespace docspec
