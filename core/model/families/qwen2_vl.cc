// Qwen2-VL compared with Qwen2.5-VL ([qwen2-vl]; the same trunk, image processor, prompt layout and
// positions):
//
// - Vision blocks: LayerNorm instead of RMSNorm, fc1, quick GELU, fc2; every block attends the
// whole
//   image, so that patches stay in raster order of their merge blocks. The merger begins with a
//   LayerNorm.
// - config.json: vision_config has embed_dim (the tower's width) and mlp_ratio; hidden_size is the
//   merger's output.
// - MinerU2.5 is such a model of 0.5 B for regions, with prompts of its own
//   (share/families/mineru2_5.json).
#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/vision/vision_tower.h"

namespace docspec {
namespace {

constexpr double kQwen2VisionEps = 1e-6;  // no key of config.json

TowerConfig tower_config(const ConfigReader& vision) {
  TowerConfig out = TowerConfig::read(vision, {"depth", "embed_dim", "num_heads", ""},
                                      {.temporal = 2, .activation = Activation::quick_gelu});
  const double ratio = vision.number("mlp_ratio", 4);
  if (!(ratio > 0 && ratio < 1024))
    throw_unsupported_config("vision_config: mlp_ratio is no share");
  out.intermediate = int64_t(double(out.width) * ratio);
  return out;
}

class Qwen2Vision : public VisionEncoder {
 public:
  Qwen2Vision(const TowerConfig& config, int64_t out_hidden, Weights& weights,
              const std::string& prefix, const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override { return tower_.bytes(); }

 private:
  VisionTower tower_;
  LayerNorm merger_norm_;
  Linear merger_in_, merger_out_;
};

Qwen2Vision::Qwen2Vision(const TowerConfig& config, int64_t out_hidden, Weights& weights,
                         const std::string& prefix, const Ops& ops)
    : tower_(config, weights, prefix + "patch_embed.proj", config.temporal, false, ops) {
  const int64_t d = config.width, wide = config.intermediate;
  const int64_t merged = d * config.merge * config.merge;
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}blocks.{}.", prefix, i);
    tower_.add({.attention_norm = weights.layer_norm(at + "norm1", d, kQwen2VisionEps),
                .mlp_norm = weights.layer_norm(at + "norm2", d, kQwen2VisionEps),
                .qkv = {weights.image_product(at + "attn.qkv", d, 3 * d, true)},
                .out = weights.image_product(at + "attn.proj", d, d, true),
                .up = weights.image_product(at + "mlp.fc1", d, wide, true),
                .down = weights.image_product(at + "mlp.fc2", wide, d, true)});
  }
  merger_norm_ = weights.layer_norm(prefix + "merger.ln_q", d, kQwen2VisionEps);
  merger_in_ = weights.image_product(prefix + "merger.mlp.0", merged, merged, true);
  merger_out_ = weights.image_product(prefix + "merger.mlp.2", merged, out_hidden, true);
}

at::Tensor Qwen2Vision::encode(const Patches& patches) const {
  const at::Tensor x = merger_norm_(
      tower_.run(tower_.embed(patches), tower_.rotary(patches.grid, tower_.config().merge)));
  return merger_out_(at::gelu(merger_in_(x.view({-1, merger_in_.weight.size(1)}))));
}

}  // namespace

Vlm::Parts make_qwen2_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const auto text = Qwen2Config::read(config);
  const ConfigReader vision = config.vision();
  const TowerConfig tower = tower_config(vision);
  const int64_t out_hidden = vision.count("hidden_size", text.hidden);
  if (out_hidden != text.hidden)
    throw_unsupported_config(
        fmt::format("vision_config: hidden_size {} is not the language model's hidden_size {}",
                    out_hidden, text.hidden));
  const auto image = ImageProcessorConfig::read(checkpoint);
  image.require(tower.patch, tower.merge, tower.temporal);
  // transformers 5 nests both towers under model.; the Hub's files have the older names.
  const bool nested = checkpoint.has("model.language_model.embed_tokens.weight");
  return {std::make_unique<ImageProcessor>(image),
          std::make_unique<Qwen2Vision>(tower, out_hidden, weights,
                                        nested ? "model.visual." : "visual.", ops),
          std::make_unique<Qwen2Decoder>(text, weights, nested ? "model.language_model." : "model.",
                                         ops),
          int32_t(config.integer("image_token_id", 151655)), RopeAxes::three};
}

}  // namespace docspec
