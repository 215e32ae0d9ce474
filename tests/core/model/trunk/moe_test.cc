#include "core/model/trunk/moe.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/ops/ops.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

constexpr int64_t kHidden = 40, kExperts = 7, kChosen = 3, kWide = 24;

/// Random weights, the experts' one by one or all in one tensor.
class MoeLaws : public testing::TestWithParam<bool> {
 protected:
  MoeLaws() {
    at::manual_seed(4);
    std::vector<test::RawTensor> out;
    const auto add = [&](const std::string& name, const at::Tensor& t) {
      const at::Tensor flat = t.contiguous();
      out.push_back({name, "F32", flat.sizes().vec(),
                     std::string(reinterpret_cast<const char*>(flat.const_data_ptr<float>()),
                                 flat.nbytes())});
    };
    if (GetParam()) {
      add("experts.gate_up_proj", at::cat({gate, up}, 1));
      add("experts.down_proj", down);
    }
    for (int64_t i = 0; i < kExperts && !GetParam(); ++i) {
      const std::string at = "experts." + std::to_string(i) + ".";
      add(at + "gate_proj.weight", gate[i]);
      add(at + "up_proj.weight", up[i]);
      add(at + "down_proj.weight", down[i]);
    }
    add("gate.weight", router);
    add("shared_experts.gate_proj.weight", shared[0]);
    add("shared_experts.up_proj.weight", shared[1]);
    add("shared_experts.down_proj.weight", shared[0].t());
    test::write_file(dir / "config.json", "{}");
    test::write_file(dir / "model.safetensors", test::safetensors_bytes(out));
  }
  Moe moe() {
    checkpoint = std::make_unique<Checkpoint>(dir.path());
    Weights weights(*checkpoint, at::kFloat, at::kCPU);
    const MoeConfig config{kExperts, kChosen, 2, kWide, 0.5, {true}};
    Moe out(config, kHidden, weights, "");
    weights.require_all();
    return out;
  }
  /// One row at a time, in doubles.
  at::Tensor expected(const at::Tensor& x) const {
    const auto mlp = [](const at::Tensor& row, const at::Tensor& g, const at::Tensor& u,
                        const at::Tensor& d) {
      const auto wide = [](const at::Tensor& t) { return t.to(at::kDouble); };
      return at::mv(wide(d), at::silu(at::mv(wide(g), row)) * at::mv(wide(u), row));
    };
    std::vector<at::Tensor> out;
    for (const at::Tensor& row : x.to(at::kDouble).unbind(0)) {
      const auto [shares, chosen] = at::mv(router.to(at::kDouble), row).softmax(0).topk(kChosen);
      at::Tensor sum = mlp(row, shared[0], shared[1], shared[0].t());
      for (int64_t i = 0; i < kChosen; ++i) {
        const auto e = chosen[i].item<int64_t>();
        sum = sum + 0.5 * shares[i] * mlp(row, gate[e], up[e], down[e]);
      }
      out.push_back(sum);
    }
    return at::stack(out);
  }

  const at::Tensor gate = (at::manual_seed(3), at::randn({kExperts, kWide, kHidden}));
  const at::Tensor up = at::randn({kExperts, kWide, kHidden});
  const at::Tensor down = at::randn({kExperts, kHidden, kWide});
  const at::Tensor router = at::randn({kExperts, kHidden});
  const at::Tensor shared = at::randn({2, 2 * kWide, kHidden});
  test::TempDir dir;
  std::unique_ptr<Checkpoint> checkpoint;
  std::unique_ptr<Ops> ops = make_cpu_ops();
};

TEST_P(MoeLaws, EachRowGoesThroughTheExpertsItScoresBest) {
  const at::Tensor x = at::randn({33, kHidden});
  const at::Tensor wanted = expected(x), got = moe()(*ops, x, 1);
  EXPECT_LT((got - wanted).abs().max().item<double>(), 1e-5 * wanted.abs().max().item<double>());
}

TEST_P(MoeLaws, ARowsBitsAreTheSameWhateverRowsShareItsExperts) {
  const Moe layer = moe();
  const at::Tensor x = at::randn({40, kHidden}), all = layer(*ops, x, 1);
  for (const int64_t rows : {1, 2, 3, 5, 8, 13, 39})
    for (int64_t first = 0; first + rows <= 40; first += 7)
      EXPECT_TRUE(at::equal(layer(*ops, x.narrow(0, first, rows), 1), all.narrow(0, first, rows)))
          << rows << " rows from " << first;
  // Padding to a multiple changes no number either, as other operations may need it.
  EXPECT_LT((layer(*ops, x, 8) - all).abs().max().item<float>(), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Stored, MoeLaws, testing::Bool(),
                         [](const auto& stored) { return stored.param ? "InOne" : "OneByOne"; });

TEST(MoeConfig, NamesWhatItCannotRead) {
  const nlohmann::json good = {{"n_routed_experts", 4},
                               {"num_experts_per_tok", 2},
                               {"moe_intermediate_size", 8},
                               {"num_hidden_layers", 3},
                               {"first_k_dense_replace", 1}};
  const MoeConfig read = MoeConfig::read(ConfigReader(good));
  EXPECT_EQ(read.layers, (std::vector<bool>{false, true, true}));
  EXPECT_EQ(read.shared, 0);
  EXPECT_FALSE(MoeConfig().in(0));
  const std::pair<const char*, nlohmann::json> wrong[] = {{"topk_method", "group_limited_greedy"},
                                                          {"scoring_func", "sigmoid"},
                                                          {"norm_topk_prob", true},
                                                          {"num_experts_per_tok", 5},
                                                          {"mlp_layer_types", {"sparse"}},
                                                          {"moe_layer_freq", 2}};
  for (const auto& [key, value] : wrong) {
    nlohmann::json config = good;
    config[key] = value;
    try {
      MoeConfig::read(ConfigReader(config));
      ADD_FAILURE() << key;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::dependency);
      EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace docspec
