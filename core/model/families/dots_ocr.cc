// dots.ocr compared with Qwen2.5-VL ([dots.ocr]; the same trunk, image processor and prompt
// layout):
//
// - Vision patches: one frame (temporal_patch_size 1), a convolution with bias, and an RMSNorm
//   after it. Blocks without biases (use_bias), eps 1e-5; SwiGLU as fc1 (gate), fc3 (up), fc2.
// - Every block attends the whole image: no windows, so that patches stay in raster order of their
//   merge blocks. 2-D rotary positions as there.
// - An RMSNorm after the last block (post_norm); the merger begins with a LayerNorm, eps 1e-6.
// - config.json: vision_config has embed_dim (the tower's width; hidden_size is the merger's
//   output), num_hidden_layers, num_attention_heads, num_channels; the tower's tensors are
//   vision_tower.*.
// - The language model is plain Qwen2: flat keys, 1-D rotary positions that count visual rows one
//   by one, a head of its own.
// - The image placeholder is <|imgpad|>; markup is a JSON list (core/markup/models/dots_json.h).
#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/vision/vision_tower.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

constexpr double kRotaryTheta = 10000;  // no key of config.json
constexpr double kMergerEps = 1e-6;     // likewise

struct DotsVisionConfig {
  TowerConfig tower;
  int64_t out_hidden = 0;
  double eps = 1e-5;
  bool bias = false, post_norm = true;

  static DotsVisionConfig read(const ConfigReader& config);
};

DotsVisionConfig DotsVisionConfig::read(const ConfigReader& config) {
  const ConfigReader vision = config.vision();
  DotsVisionConfig out;
  out.tower = TowerConfig::read(vision, {.width = "embed_dim"}, {.activation = Activation::silu});
  out.tower.theta = kRotaryTheta;
  out.out_hidden = vision.count("hidden_size");
  out.eps = vision.number("rms_norm_eps", out.eps);
  out.bias = vision.boolean("use_bias", out.bias);
  out.post_norm = vision.boolean("post_norm", out.post_norm);
  if (out.tower.temporal != 1)
    throw_unsupported_config("vision_config: only temporal_patch_size 1 is supported");
  if (vision.boolean("is_causal", false))
    throw_unsupported_config("vision_config: is_causal true is not supported");
  return out;
}

class DotsVision : public VisionEncoder {
 public:
  DotsVision(const DotsVisionConfig& config, Weights& weights, const std::string& prefix,
             const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override { return tower_.bytes(); }

 private:
  VisionTower tower_;
  RmsNorm patch_norm_, last_norm_;  // last_norm_ without weight where there is none
  LayerNorm merger_norm_;
  Linear merger_in_, merger_out_;
};

DotsVision::DotsVision(const DotsVisionConfig& config, Weights& weights, const std::string& prefix,
                       const Ops& ops)
    : tower_(config.tower, weights, prefix + "patch_embed.patchifier.proj", 0, true, ops) {
  const TowerConfig& sizes = config.tower;
  const int64_t d = sizes.width, wide = sizes.intermediate, merged = d * sizes.merge * sizes.merge;
  patch_norm_ = weights.norm(prefix + "patch_embed.patchifier.norm", d, config.eps);
  for (int64_t i = 0; i < sizes.depth; ++i) {
    const std::string at = fmt::format("{}blocks.{}.", prefix, i);
    tower_.add({.attention_norm = weights.norm(at + "norm1", d, config.eps),
                .mlp_norm = weights.norm(at + "norm2", d, config.eps),
                .qkv = {weights.image_product(at + "attn.qkv", d, 3 * d, config.bias)},
                .out = weights.image_product(at + "attn.proj", d, d, config.bias),
                .gate = weights.image_product(at + "mlp.fc1", d, wide, config.bias),
                .up = weights.image_product(at + "mlp.fc3", d, wide, config.bias),
                .down = weights.image_product(at + "mlp.fc2", wide, d, config.bias)});
  }
  if (config.post_norm) last_norm_ = weights.norm(prefix + "post_trunk_norm", d, config.eps);
  merger_norm_ = weights.layer_norm(prefix + "merger.ln_q", d, kMergerEps);
  merger_in_ = weights.image_product(prefix + "merger.mlp.0", merged, merged, true);
  merger_out_ = weights.image_product(prefix + "merger.mlp.2", merged, config.out_hidden, true);
}

at::Tensor DotsVision::encode(const Patches& patches) const {
  const Rotary rotary = tower_.rotary(patches.grid, tower_.config().merge);
  at::Tensor x = tower_.run(patch_norm_(tower_.embed(patches)), rotary);
  if (last_norm_.weight.defined()) x = last_norm_(x);
  x = merger_norm_(x);
  return merger_out_(at::gelu(merger_in_(x.view({-1, merger_in_.weight.size(1)}))));
}

}  // namespace

Vlm::Parts make_dots_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const auto text = Qwen2Config::read(config);
  const auto vision = DotsVisionConfig::read(config);
  if (vision.out_hidden != text.hidden)
    throw_unsupported_config(
        fmt::format("vision_config: hidden_size {} is not the language model's hidden_size {}",
                    vision.out_hidden, text.hidden));
  const auto image = ImageProcessorConfig::read(checkpoint);
  image.require(vision.tower.patch, vision.tower.merge, vision.tower.temporal);
  return {std::make_unique<ImageProcessor>(image),
          std::make_unique<DotsVision>(vision, weights, "vision_tower.", ops),
          std::make_unique<Qwen2Decoder>(text, weights, "model.", ops),
          int32_t(config.integer("image_token_id", 151665)), RopeAxes::one};
}

}  // namespace docspec
