// RT-DETRv2 against transformers' numbers (tests/oracle/detector_parity fixture).
#include "drafts/detector/rt_detr.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"
#include "tests/support/files.h"
#include "tests/support/oracle_weights.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

/// A small random checkpoint on disk.
struct RandomDetector {
  nlohmann::json fixture = nlohmann::json::parse(
      test::read_file(DOCSPEC_SOURCE_DIR "/tests/data/detector/rt_detr.json"));
  nlohmann::json tensors;
  test::TempDir dir;

  RandomDetector() {
    for (const auto& [name, shape] : fixture["tensors"].items()) add(name, shape);
    for (const auto& [name, channels] : fixture["norms"].items())
      for (const char* end : {".weight", ".bias", ".running_mean", ".running_var"})
        add(name + end, nlohmann::json::array({channels}));
    write();
  }

  void add(const std::string& name, const nlohmann::json& shape) {
    double scale = 0.1, inputs = 1;
    for (size_t i = 1; i < shape.size(); ++i) inputs *= shape[i].get<double>();
    if (shape.size() > 1) scale = std::round(1000 / std::sqrt(inputs)) / 1000;
    const bool normal =
        shape.size() == 1 && (name.ends_with("running_var") || name.ends_with("weight"));
    tensors[name] = {shape, normal ? 1 : 0, scale};
  }
  void write() const {
    const nlohmann::json recipe = {{"seed", 63},
                                   {"files", {{"model.safetensors", {{"tensors", tensors}}}}}};
    test::write_file(dir.path() / "weights.json", recipe.dump());
    test::write_random_weights(dir.path() / "weights.json", dir.path());
    test::write_file(dir.path() / "config.json", fixture["config"].dump());
    test::write_file(dir.path() / "preprocessor_config.json",
                     R"({"size": {"height": 96, "width": 64}, "do_normalize": false})");
  }
  std::string refusal() const {
    try {
      make_page_net(dir.path());
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::dependency);
      return e.what();
    }
    return "";
  }
};

TEST(RtDetr, EqualsTransformers) {
  const RandomDetector random;
  const RtDetr net{Checkpoint(random.dir.path())};
  const at::Tensor x = at::arange(64, at::kLong) * 7, y = at::arange(96, at::kLong) * 13,
                   c = at::arange(3, at::kLong) * 29;
  const at::Tensor pixels =
      (x.view({1, 1, -1}) + y.view({1, -1, 1}) + c.view({-1, 1, 1})).remainder(256).to(at::kFloat) /
      255;
  const auto [logits, boxes] = net.run(pixels);
  const at::Tensor own = at::cat({logits, boxes}, 1);
  const auto& wanted = random.fixture["output"];
  ASSERT_EQ(own.size(0), std::ssize(wanted));
  for (int64_t q = 0; q < own.size(0); ++q)
    for (int64_t i = 0; i < own.size(1); ++i)
      EXPECT_NEAR(own[q][i].item<float>(), wanted[size_t(q)][size_t(i)].get<float>(), 1e-4)
          << q << " " << i;
}

TEST(RtDetr, FindsRegionsOnTheImageAlone) {
  const RandomDetector random;
  const PageImage page(1, 128, 192, 72);
  for (const FoundRegion& region : make_page_net(random.dir.path())->find(page)) {
    EXPECT_EQ(intersect(region.box, {0, 0, 128, 192}), region.box);
    EXPECT_GT(region.score, 0.3);
  }
}

TEST(RtDetr, SaysWhatIsWrongWithACheckpoint) {
  RandomDetector random;
  random.tensors.erase("model.enc_score_head.weight");
  random.write();
  EXPECT_NE(random.refusal().find("model.enc_score_head.weight: missing, expected [17, 16]"),
            std::string::npos);
  random.fixture["config"]["id2label"]["3"] = "Stamp";
  random.write();
  EXPECT_NE(random.refusal().find("config.json: docspec has no kind of region for 'Stamp'"),
            std::string::npos)
      << random.refusal();
  random.fixture["config"]["model_type"] = "detr";
  random.write();
  EXPECT_NE(random.refusal().find("config.json: model_type is \"detr\", not a layout detector"),
            std::string::npos);
  random.fixture["config"]["model_type"] = "rt_detr_v2";
  random.write();
  std::filesystem::remove(random.dir.path() / "preprocessor_config.json");
  random.fixture["config"]["id2label"]["3"] = "List-item";
  test::write_file(random.dir.path() / "config.json", random.fixture["config"].dump());
  EXPECT_NE(random.refusal().find("preprocessor_config.json: is missing"), std::string::npos)
      << random.refusal();
}

}  // namespace
}  // namespace docspec
