// LightOnOCR as transformers 5.17 runs it ([lighton-ocr]): Mistral's vision on Qwen's text.
//
// - Vision: Pixtral. Patches by a convolution without bias, an RMSNorm after it; every block
// attends
//   the whole image, no biases, SwiGLU, eps 1e-5 throughout. Of the rotary frequencies of a head,
//   rows of patches take those at even places and columns those at odd ones.
// - Projector: RMSNorm with the language model's eps, then 2 x 2 patches side by side, each
// channel's
//   four next to each other, and three products without bias, a GELU before the last.
// - Language model: Qwen3 with 1-D rotary positions that count visual rows one by one. No tokens
//   part the rows of an image.
// - Published files may call themselves mistral3 (registry.cc).
#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/image/pixtral_processor.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/vision/vision_tower.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

constexpr double kTowerEps = 1e-5;  // no key of config.json
const std::string kTower = "model.vision_encoder.";

TowerConfig pixtral_config(const ConfigReader& config) {
  const ConfigReader vision = config.vision();
  TowerConfig out = TowerConfig::read(vision, {}, {.patch = 16, .activation = Activation::silu});
  out.merge = config.count("spatial_merge_size", out.merge);
  if (vision.count("head_dim", out.head_dim()) != out.head_dim())
    throw_unsupported_config("vision_config: head_dim is not hidden_size / num_attention_heads");
  return out;
}

class PixtralVision : public VisionEncoder {
 public:
  /// `text_width`, `text_eps`: of the language model.
  PixtralVision(const TowerConfig& config, int64_t text_width, double text_eps, Weights& weights,
                const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override { return tower_.bytes(); }

 private:
  Rotary rotary(const PatchGrid& grid) const;
  at::Tensor merge(const at::Tensor& x, const PatchGrid& grid) const;

  VisionTower tower_;
  RmsNorm patch_norm_, merger_norm_;
  Linear merger_, projector_in_, projector_out_;
};

PixtralVision::PixtralVision(const TowerConfig& config, int64_t text_width, double text_eps,
                             Weights& weights, const Ops& ops)
    : tower_(config, weights, kTower + "patch_conv", 0, false, ops) {
  const int64_t d = config.width, wide = config.intermediate;
  const std::string projector = "model.vision_projection.";
  patch_norm_ = weights.norm(kTower + "ln_pre", d, kTowerEps);
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}transformer.layers.{}.", kTower, i);
    const auto square = [&](const char* name) {
      return weights.image_product(at + "attention." + name, d, d);
    };
    tower_.add({.attention_norm = weights.norm(at + "attention_norm", d, kTowerEps),
                .mlp_norm = weights.norm(at + "ffn_norm", d, kTowerEps),
                .qkv = {square("q_proj"), square("k_proj"), square("v_proj")},
                .out = square("o_proj"),
                .gate = weights.image_product(at + "feed_forward.gate_proj", d, wide),
                .up = weights.image_product(at + "feed_forward.up_proj", d, wide),
                .down = weights.image_product(at + "feed_forward.down_proj", wide, d)});
  }
  merger_norm_ = weights.norm(projector + "norm", d, text_eps);
  merger_ = weights.image_product(projector + "patch_merger.merging_layer",
                                  d * config.merge * config.merge, d);
  projector_in_ = weights.image_product(projector + "linear_1", d, text_width);
  projector_out_ = weights.image_product(projector + "linear_2", text_width, text_width);
}

Rotary PixtralVision::rotary(const PatchGrid& grid) const {
  const std::vector<float> frequencies =
      rotary_frequencies(tower_.config().theta, tower_.config().head_dim());
  at::Tensor angles = at::empty({grid.patches(), int64_t(frequencies.size())}, at::kFloat);
  auto* angle = angles.mutable_data_ptr<float>();
  for (int64_t y = 0; y < grid.h; ++y)
    for (int64_t x = 0; x < grid.w; ++x) {
      for (size_t i = 0; i < frequencies.size(); i += 2) *angle++ = float(y) * frequencies[i];
      for (size_t i = 1; i < frequencies.size(); i += 2) *angle++ = float(x) * frequencies[i];
    }
  return tower_.rotary(angles);
}

/// [patches, width] -> [merge blocks, width * merge^2]; what fills no block is left out.
at::Tensor PixtralVision::merge(const at::Tensor& x, const PatchGrid& grid) const {
  const int64_t m = tower_.config().merge, rows = grid.h / m, columns = grid.w / m;
  return x.view({grid.h, grid.w, tower_.config().width})
      .narrow(0, 0, rows * m)
      .narrow(1, 0, columns * m)
      .reshape({rows, m, columns, m, tower_.config().width})
      .permute({0, 2, 4, 1, 3})
      .reshape({rows * columns, tower_.config().width * m * m});
}

at::Tensor PixtralVision::encode(const Patches& patches) const {
  const at::Tensor x = tower_.run(patch_norm_(tower_.embed(patches)), rotary(patches.grid));
  return projector_out_(at::gelu(projector_in_(merger_(merge(merger_norm_(x), patches.grid)))));
}

}  // namespace

Vlm::Parts make_lighton_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  auto text = Qwen2Config::read(config);
  text.qkv_bias = false;
  text.qk_norm = true;
  if (config.text().boolean("attention_bias", false))
    throw_unsupported_config("attention_bias true is not supported");
  const auto vision = pixtral_config(config);
  return {std::make_unique<PixtralProcessor>(checkpoint, vision.patch, vision.merge),
          std::make_unique<PixtralVision>(vision, text.hidden, text.rms_eps, weights, ops),
          std::make_unique<Qwen2Decoder>(text, weights, "model.language_model.", ops),
          int32_t(config.integer("image_token_id", 151655)), RopeAxes::one};
}

}  // namespace docspec
