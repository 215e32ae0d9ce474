// GLM-OCR as transformers 5.17 runs it ([glm-ocr]): a model for regions, not for pages.
//
// - Vision: two frames of patches, a convolution with bias; RMSNorm, q, k, v in one product, an
//   RMSNorm over each head of q and k, 2-D rotary positions as in Qwen2.5-VL, SwiGLU, biases
//   everywhere. An RMSNorm after the last block. Every block attends the whole image.
// - 2 x 2 patches become one row by a convolution; the merger is a product, a LayerNorm, a GELU and
//   a SwiGLU without biases, three times as wide as its output.
// - Language model: Qwen2's trunk without biases, with RMSNorms also of what attention and MLP add,
//   gate and up in one product, and rotations that turn neighbouring numbers of a head.
// - The pixel limits count both frames of a patch. Sides below one merge block are stretched to it.
// - Published files have one more layer, which predicts further tokens
//   (core/model/trunk/mtp_layer.h).
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/trunk/mtp_layer.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/vision/vision_tower.h"

namespace docspec {
namespace {

constexpr double kProjectionEps = 1e-5;  // no key of config.json
constexpr int64_t kMergerWiden = 3;      // likewise: the number of colours

class GlmProcessor : public ImageProcessor {
 public:
  /// `config`: as in the file; its limits are those of all frames together.
  explicit GlmProcessor(const ImageProcessorConfig& config) : ImageProcessor(config) {
    config_.min_pixels /= config_.temporal;
    config_.max_pixels /= config_.temporal;
  }
  PatchGrid grid(int width_px, int height_px) const override {
    const auto least = double(config_.patch * config_.merge);
    if (std::min(width_px, height_px) < least && std::min(width_px, height_px) > 0) {
      const double grow = std::max(least / height_px, least / width_px);
      height_px = int(height_px * grow);
      width_px = int(width_px * grow);
    }
    return ImageProcessor::grid(width_px, height_px);
  }
};

class GlmVision : public VisionEncoder {
 public:
  GlmVision(const TowerConfig& config, double eps, bool bias, int64_t out_hidden, Weights& weights,
            const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override { return tower_.bytes(); }

 private:
  VisionTower tower_;
  RmsNorm last_norm_;
  Linear downsample_, projection_;  // downsample_: weight [out_hidden, width * merge * merge]
  LayerNorm projection_norm_;
  SwiGlu merger_;
};

GlmVision::GlmVision(const TowerConfig& config, double eps, bool bias, int64_t out_hidden,
                     Weights& weights, const Ops& ops)
    : tower_(config, weights, "model.visual.patch_embed.proj", config.temporal, true, ops) {
  const int64_t d = config.width, wide = config.intermediate, m = config.merge;
  const std::string prefix = "model.visual.";
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}blocks.{}.", prefix, i);
    tower_.add({.attention_norm = weights.norm(at + "norm1", d, eps),
                .mlp_norm = weights.norm(at + "norm2", d, eps),
                .qkv = {weights.image_product(at + "attn.qkv", d, 3 * d, bias)},
                .out = weights.image_product(at + "attn.proj", d, d, bias),
                .gate = weights.image_product(at + "mlp.gate_proj", d, wide, bias),
                .up = weights.image_product(at + "mlp.up_proj", d, wide, bias),
                .down = weights.image_product(at + "mlp.down_proj", wide, d, bias),
                .q_norm = weights.norm(at + "attn.q_norm", config.head_dim(), eps),
                .k_norm = weights.norm(at + "attn.k_norm", config.head_dim(), eps)});
  }
  last_norm_ = weights.norm(prefix + "post_layernorm", d, eps);
  downsample_.weight = weights.get(prefix + "downsample.weight", {out_hidden, d, m, m});
  if (downsample_.weight.defined()) downsample_.weight = downsample_.weight.view({out_hidden, -1});
  downsample_.bias = weights.get(prefix + "downsample.bias", {out_hidden});
  const std::string merger = prefix + "merger.";
  const int64_t inner = kMergerWiden * out_hidden;
  projection_ = weights.image_product(merger + "proj", out_hidden, out_hidden);
  projection_norm_ =
      weights.layer_norm(merger + "post_projection_norm", out_hidden, kProjectionEps);
  merger_ = {weights.image_product(merger + "gate_proj", out_hidden, inner),
             weights.image_product(merger + "up_proj", out_hidden, inner),
             weights.image_product(merger + "down_proj", inner, out_hidden)};
}

at::Tensor GlmVision::encode(const Patches& patches) const {
  const TowerConfig& sizes = tower_.config();
  const at::Tensor x =
      last_norm_(tower_.run(tower_.embed(patches), tower_.rotary(patches.grid, sizes.merge)));
  const at::Tensor blocks =
      x.view({-1, sizes.merge * sizes.merge, sizes.width}).transpose(1, 2).flatten(1);
  return merger_(at::gelu(projection_norm_(projection_(downsample_(blocks)))));
}

Qwen2Config text_config(const ConfigReader& config) {
  const ConfigReader text = config.text();
  auto out = Qwen2Config::read(config);
  out.rms_eps = text.number("rms_norm_eps", 1e-5);
  out.qkv_bias = false;
  out.out_norms = out.gate_up = out.neighbours = true;
  for (const char* key : {"rope_parameters", "rope_scaling"})
    if (text.has(key) && text.section(key).number("partial_rotary_factor", 1) != 1)
      throw_unsupported_config("partial_rotary_factor other than 1 is not supported");
  if (text.boolean("attention_bias", false))
    throw_unsupported_config("attention_bias true is not supported");
  return out;
}

}  // namespace

Vlm::Parts make_glm_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config()), vision = config.vision();
  const Qwen2Config text = text_config(config);
  const auto tower =
      TowerConfig::read(vision, kQwenTowerKeys, {.temporal = 2, .activation = Activation::silu});
  const int64_t out_hidden = vision.count("out_hidden_size");
  if (out_hidden != text.hidden)
    throw_unsupported_config(
        fmt::format("out_hidden_size {} of the vision tower is not the language model's "
                    "hidden_size {}",
                    out_hidden, text.hidden));
  ImageProcessorConfig image;
  image.min_pixels = 112 * 112;
  image.max_pixels = 28 * 28 * 15000;
  image = ImageProcessorConfig::read(checkpoint, image);
  image.require(tower.patch, tower.merge, tower.temporal);
  const std::string prefix = "model.language_model.";
  return {
      std::make_unique<GlmProcessor>(image),
      std::make_unique<GlmVision>(tower, vision.number("rms_norm_eps", 1e-5),
                                  vision.boolean("attention_bias", true), out_hidden, weights, ops),
      std::make_unique<Qwen2Decoder>(text, weights, prefix, ops),
      int32_t(config.integer("image_token_id", 59280)),
      RopeAxes::three,
      make_mtp_layer(text, weights, prefix, ops)};
}

}  // namespace docspec
