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
#include "core/model/families/dots_ocr.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/image/patch_rotary.h"
#include "core/model/layers/tiled_attention.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

constexpr double kRotaryTheta = 10000;  // no key of config.json
constexpr double kMergerEps = 1e-6;     // likewise

struct DotsVisionConfig {
  int64_t depth = 0, width = 0, intermediate = 0, heads = 0, out_hidden = 0;
  int64_t patch = 14, merge = 2, temporal = 1;
  double eps = 1e-5;
  bool bias = false, post_norm = true;

  int64_t head_dim() const { return width / heads; }
  static DotsVisionConfig read(const ConfigReader& config);
};

DotsVisionConfig DotsVisionConfig::read(const ConfigReader& config) {
  const ConfigReader vision = config.vision();
  DotsVisionConfig out;
  out.depth = vision.count("num_hidden_layers");
  out.width = vision.count("embed_dim");
  out.intermediate = vision.count("intermediate_size");
  out.heads = vision.count("num_attention_heads");
  out.out_hidden = vision.count("hidden_size");
  out.patch = vision.count("patch_size", out.patch);
  out.merge = vision.count("spatial_merge_size", out.merge);
  out.temporal = vision.count("temporal_patch_size", out.temporal);
  out.eps = vision.number("rms_norm_eps", out.eps);
  out.bias = vision.boolean("use_bias", out.bias);
  out.post_norm = vision.boolean("post_norm", out.post_norm);
  if (out.width % (4 * out.heads) != 0)
    throw_unsupported_config(
        fmt::format("vision_config: embed_dim {} is no multiple of 4 x num_attention_heads {}",
                    out.width, out.heads));
  if (vision.count("num_channels", 3) != 3)
    throw_unsupported_config("vision_config: num_channels: only 3 is supported");
  if (out.temporal != 1)
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
  VisionBytes bytes() const override;

 private:
  struct Block {
    RmsNorm attention_norm, mlp_norm;
    Linear qkv, proj;
    SwiGlu mlp;
  };
  at::Tensor attend(const Block& block, const at::Tensor& x, const Rotary& rotary) const;

  DotsVisionConfig config_;
  const Ops& ops_;
  Linear patch_;  // weight [width, 3 * patch * patch]
  RmsNorm patch_norm_, last_norm_;
  std::vector<Block> blocks_;
  LayerNorm merger_norm_;
  Linear merger_in_, merger_out_;
};

DotsVision::DotsVision(const DotsVisionConfig& config, Weights& weights, const std::string& prefix,
                       const Ops& ops)
    : config_(config), ops_(ops) {
  const int64_t d = config.width, merged = d * config.merge * config.merge;
  const std::string patch = prefix + "patch_embed.patchifier.";
  patch_.weight = weights.get(patch + "proj.weight", {d, 3, config.patch, config.patch});
  if (patch_.weight.defined()) patch_.weight = patch_.weight.view({d, -1});
  patch_.bias = weights.get(patch + "proj.bias", {d});
  patch_norm_ = weights.norm(patch + "norm", d, config.eps);
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}blocks.{}.", prefix, i);
    blocks_.push_back({weights.norm(at + "norm1", d, config.eps),
                       weights.norm(at + "norm2", d, config.eps),
                       weights.linear(at + "attn.qkv", d, 3 * d, config.bias),
                       weights.linear(at + "attn.proj", d, d, config.bias),
                       {weights.linear(at + "mlp.fc1", d, config.intermediate, config.bias),
                        weights.linear(at + "mlp.fc3", d, config.intermediate, config.bias),
                        weights.linear(at + "mlp.fc2", config.intermediate, d, config.bias)}});
  }
  if (config.post_norm) last_norm_ = weights.norm(prefix + "post_trunk_norm", d, config.eps);
  merger_norm_ = weights.layer_norm(prefix + "merger.ln_q", d, kMergerEps);
  merger_in_ = weights.linear(prefix + "merger.mlp.0", merged, merged, true);
  merger_out_ = weights.linear(prefix + "merger.mlp.2", merged, config.out_hidden, true);
}

VisionBytes DotsVision::bytes() const {
  const auto element = int64_t(patch_.weight.element_size());
  const int64_t d = config_.width, pixels = patch_.weight.size(1);
  // For each patch: rows, q, k, v, what attention gives, and copies of these while they turn.
  return {kTileRows * (24 * d + swiglu_row_bytes(config_.intermediate, element)),
          10 * d * element + pixels * (3 * 4 + element) + 3 * 4 * config_.head_dim()};
}

at::Tensor DotsVision::attend(const Block& block, const at::Tensor& x, const Rotary& rotary) const {
  return block.proj(tiled_attention(ops_, x, config_.heads, rotary, [&](const at::Tensor& rows) {
    return block.qkv(block.attention_norm(rows));
  }));
}

at::Tensor DotsVision::encode(const Patches& patches) const {
  const Rotary rotary = patch_rotary(patches.grid, config_.merge, kRotaryTheta, config_.head_dim(),
                                     {}, patch_.weight);
  at::Tensor x = patch_norm_(patch_(patches.values.to(patch_.weight.options())));
  for (const Block& block : blocks_) {
    x = x + attend(block, x, rotary);
    x = in_tiles(
        x, [&](const at::Tensor& rows, int64_t) { return rows + block.mlp(block.mlp_norm(rows)); });
  }
  if (config_.post_norm) x = last_norm_(x);
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
  image.require(vision.patch, vision.merge, vision.temporal);
  return {std::make_unique<ImageProcessor>(image),
          std::make_unique<DotsVision>(vision, weights, "vision_tower.", ops),
          std::make_unique<Qwen2Decoder>(text, weights, "model.", ops),
          int32_t(config.integer("image_token_id", 151665)), RopeAxes::one};
}

}  // namespace docspec
