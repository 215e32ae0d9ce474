#include "core/decode/draft_model/mtp_session.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/real_engine.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;

/// A checkpoint with a layer for further tokens, and that layer's names.
struct MtpCase {
  const char *checkpoint, *tensors, *join;
};

class Mtp : public RealEngine, public testing::WithParamInterface<MtpCase> {
 protected:
  Mtp() : RealEngine(GetParam().checkpoint) {}

  /// A session on the first page, whose prompt `prefilled_` holds.
  std::unique_ptr<DraftModelSession> session_on_page() {
    const PageImage image = oracle_.page(0);
    const Ids prompt = vlm_.prompt_ids(&image, oracle_.question());
    prefilled_ = vlm_.prefill_encoded(&seen(0), prompt, true);
    DraftModelInput input;
    input.generation = &settings_;
    input.vocab_size = vlm_.language_model().vocab_size();
    return make_mtp_session(*vlm_.mtp_layer(), *prefilled_.cache, prompt, prefilled_.positions,
                            seen(0).rows, input);
  }

  int32_t likeliest(const Distribution& distribution) {
    return int32_t(std::max_element(distribution.begin(), distribution.end()) -
                   distribution.begin());
  }

  const Generation settings_ = generation(1);
  Prefilled prefilled_;
};

INSTANTIATE_TEST_SUITE_P(Committed, Mtp,
                         testing::Values(MtpCase{"glm_ocr/hub", "layers.3.",
                                                 "model.language_model.layers.3.eh_proj"},
                                         MtpCase{"qwen3_5/hub_tied", "mtp.", "mtp.fc"}),
                         [](const auto& info) { return info.index == 0 ? "GlmOcr" : "Qwen35"; });

// The references are written in Python against vLLM's glm_ocr_mtp and qwen3_5_mtp
// (tests/oracle/oracle/mtp.py).
TEST_P(Mtp, ItsDraftsEqualThoseOfTheReference) {
  ASSERT_NE(vlm_.mtp_layer(), nullptr);
  const at::Tensor expected = oracle_.stage(0, "mtp_ids");  // [tokens, steps]
  const Ids greedy = oracle_.ids(0, "greedy_ids");
  const auto session = session_on_page();
  for (int64_t known = 1; known <= expected.size(0); ++known) {
    if (known > 1) test::step(vlm_.language_model(), *prefilled_.cache, greedy[size_t(known) - 2]);
    Ids chain;
    for (int64_t k = 0; k < expected.size(1); ++k)
      chain.push_back(likeliest(
          session->read(std::span(greedy).first(size_t(known)), chain, chain.size())[0][0]));
    const at::Tensor wanted = expected[known - 1].contiguous();
    const int32_t* ids = wanted.const_data_ptr<int32_t>();
    EXPECT_EQ(chain, Ids(ids, ids + wanted.size(0))) << "after " << known << " tokens";
  }
}

TEST_P(Mtp, AChainIsTheSameReadAtOnceOrTokenByTokenAndAfterAnother) {
  const auto session = session_on_page();
  const Ids output{5}, chain{7, 8, 9}, other{7, 10};
  const auto whole = session->read(output, chain, 0);
  ASSERT_EQ(whole.size(), 4u);
  EXPECT_NE(session->read(output, other, 2)[0][0], whole[2][0]);
  for (size_t n = 0; n <= chain.size(); ++n)
    EXPECT_EQ(session->read(output, std::span(chain).first(n), n)[0][0], whole[n][0]) << n;
}

TEST_P(Mtp, SixtyDraftSetsBesideItNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 60; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.by_source["mtp"].proposed, 100);
}

test::RawTensor zeros(const std::string& name, const std::vector<int64_t>& shape) {
  int64_t bytes = 2;
  for (const int64_t size : shape) bytes *= size;
  return {name, "BF16", shape, std::string(size_t(bytes), '\0')};
}

/// Faults of a copy of the checkpoint in which tensors named with `part` have the shape `shape`;
/// none = they are left out. `more`: what the copy has besides.
std::vector<std::string> faults(const fs::path& model, const std::string& part,
                                const std::vector<int64_t>& shape,
                                const std::vector<test::RawTensor>& more = {}) {
  test::TempDir dir;
  const Checkpoint checkpoint(model);
  std::vector<test::RawTensor> tensors = more;
  for (const TensorInfo& info : checkpoint.tensors()) {
    const bool meant = info.name.find(part) != std::string::npos;
    if (meant && shape.empty()) continue;
    tensors.push_back(zeros(info.name, meant ? shape : info.shape));
  }
  test::write_file(dir / "model.safetensors", test::safetensors_bytes(tensors));
  for (const char* name : {"config.json", "preprocessor_config.json"})
    fs::copy_file(model / name, dir / name);
  const auto ops = make_cpu_ops();
  return verify_checkpoint(dir.path(), *ops).faults;
}

TEST_P(Mtp, ALayerThatIsMissingIsNoneAndOneThatIsHalfThereOrOfAnotherWidthIsNamed) {
  EXPECT_TRUE(faults(oracle_.model(), GetParam().tensors, {}).empty());
  const std::string join = std::string(GetParam().join) + ".weight";
  const auto half = faults(oracle_.model(), join, {});
  ASSERT_EQ(half.size(), 1u);
  EXPECT_EQ(half[0], join + ": missing, expected [64, 128]");
  const auto wide = faults(oracle_.model(), join, {64, 64});
  ASSERT_EQ(wide.size(), 1u);
  EXPECT_EQ(wide[0], join + ": shape [64, 64], expected [64, 128]");
}

// Qwen2.5-VL has one where docspec's developers trained it (share/models/mini/train/further.py).
TEST(MtpOfQwen25, ALayerThatIsHalfThereOrOfAnotherWidthIsNamed) {
  const fs::path model = test::OracleCase(test::oracle_folder("qwen2_5_vl/hub_tied")).model();
  EXPECT_TRUE(faults(model, "no tensor's", {}).empty());
  const std::string at = "model.layers.3.";
  const auto found = faults(model, "no tensor's", {}, {zeros(at + "eh_proj.weight", {64, 64})});
  for (const char* fault :
       {"eh_proj.weight: shape [64, 64], expected [64, 128]",
        "enorm.weight: missing, expected [64]", "self_attn.q_proj.bias: missing, expected [64]"})
    EXPECT_EQ(std::ranges::count(found, at + fault), 1) << fault;
}

TEST_P(Mtp, ThePlanHasItsCacheAndItsEmbeddingIsTheModels) {
  const VlmOptions options{.dtype = "f32", .share = test::share_dir()};
  const MemoryNeeds needs = memory_needs(Checkpoint(oracle_.model()), options, *ops_);
  const TrunkBytes trunk = vlm_.language_model().bytes(at::kCPU);
  EXPECT_EQ(needs.trunk.per_token,
            trunk.per_token + trunk.per_token / vlm_.language_model().layer_count());
  const int64_t embedding = vlm_.language_model().embed(std::vector<int32_t>{0}).size(1) *
                            vlm_.language_model().vocab_size() * 4;
  EXPECT_LT(needs.weights, 4 * vlm_.info().parameters + embedding) << "held once";
}

}  // namespace
}  // namespace docspec
