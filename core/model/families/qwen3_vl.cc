// Qwen3-VL compared with Qwen2.5-VL (the same image processor, prompt layout and positions):
//
// - Vision patches: 16 pixels, a convolution with bias; learned positions on a square grid,
//   interpolated to the image's, are added to them. 2-D rotary positions as there.
// - Blocks: LayerNorm instead of RMSNorm, fc1, gelu (tanh), fc2; every block attends the whole
//   image, so that patches stay in raster order of their merge blocks.
// - The merger begins with a LayerNorm of each patch. Further mergers after the blocks of
//   deepstack_visual_indexes (their LayerNorm over the merged patches) make rows that the language
//   model adds after its first layers.
// - The language model is Qwen3: heads of head_dim, no biases, an RMSNorm over each head of q and
//   k; the rotary axes take turns among the frequencies (mrope_interleaved).
// - No system message; page markup is asked for by "qwenvl html", its boxes in thousandths of the
//   page (core/markup/models/qwen_html.h).
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/image/learned_positions.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/vision/vision_tower.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

constexpr double kQwen3VisionEps = 1e-6;  // no key of config.json

struct Qwen3VisionConfig {
  TowerConfig tower;
  int64_t out_hidden = 0;
  int64_t side = 0;                ///< of the square grid of learned positions
  std::vector<int64_t> deepstack;  ///< blocks after which further rows are made

  static Qwen3VisionConfig read(const ConfigReader& config);
};

Qwen3VisionConfig Qwen3VisionConfig::read(const ConfigReader& config) {
  const ConfigReader vision = config.vision();
  Qwen3VisionConfig out;
  out.tower = TowerConfig::read(vision, kQwenTowerKeys,
                                {.patch = 16, .temporal = 2, .activation = Activation::gelu_tanh});
  out.out_hidden = vision.count("out_hidden_size");
  if (vision.has("deepstack_visual_indexes"))
    out.deepstack = vision.integers("deepstack_visual_indexes");
  const int64_t positions = vision.count("num_position_embeddings");
  out.side = std::llround(std::sqrt(double(positions)));
  if (out.side * out.side != positions)
    throw_unsupported_config(fmt::format("num_position_embeddings {} is no square", positions));
  for (const int64_t block : out.deepstack)
    if (block < 0 || block >= out.tower.depth)
      throw_unsupported_config(
          fmt::format("deepstack_visual_indexes: there is no block {}", block));
  return out;
}

class Qwen3Vision : public VisionEncoder {
 public:
  Qwen3Vision(const Qwen3VisionConfig& config, Weights& weights, const std::string& prefix,
              const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override;

 private:
  struct Merger {
    LayerNorm norm;
    Linear fc1, fc2;
    at::Tensor operator()(const at::Tensor& x) const;  // -> [patches / merge^2, out_hidden]
  };

  const int64_t side_;
  const std::vector<int64_t> levels_;  ///< blocks after which further rows are made
  VisionTower tower_;
  at::Tensor positions_;  // [side * side, width]
  Merger merger_;
  std::vector<Merger> deepstack_;
};

Qwen3Vision::Qwen3Vision(const Qwen3VisionConfig& config, Weights& weights,
                         const std::string& prefix, const Ops& ops)
    : side_(config.side),
      levels_(config.deepstack),
      tower_(config.tower, weights, prefix + "patch_embed.proj", config.tower.temporal, true, ops) {
  const int64_t d = config.tower.width, wide = config.tower.intermediate;
  const int64_t merged = d * config.tower.merge * config.tower.merge;
  positions_ = weights.get(prefix + "pos_embed.weight", {side_ * side_, d});
  for (int64_t i = 0; i < config.tower.depth; ++i) {
    const std::string at = fmt::format("{}blocks.{}.", prefix, i);
    tower_.add({.attention_norm = weights.layer_norm(at + "norm1", d, kQwen3VisionEps),
                .mlp_norm = weights.layer_norm(at + "norm2", d, kQwen3VisionEps),
                .qkv = {weights.image_product(at + "attn.qkv", d, 3 * d, true)},
                .out = weights.image_product(at + "attn.proj", d, d, true),
                .up = weights.image_product(at + "mlp.linear_fc1", d, wide, true),
                .down = weights.image_product(at + "mlp.linear_fc2", wide, d, true)});
  }
  const auto merger = [&](const std::string& name, int64_t norm_size) {
    return Merger{weights.layer_norm(name + ".norm", norm_size, kQwen3VisionEps),
                  weights.image_product(name + ".linear_fc1", merged, merged, true),
                  weights.image_product(name + ".linear_fc2", merged, config.out_hidden, true)};
  };
  merger_ = merger(prefix + "merger", d);
  for (size_t i = 0; i < levels_.size(); ++i)
    deepstack_.push_back(merger(fmt::format("{}deepstack_merger_list.{}", prefix, i), merged));
}

at::Tensor Qwen3Vision::Merger::operator()(const at::Tensor& x) const {
  const at::Tensor rows = norm(x.view({-1, norm.weight.size(0)}));
  return fc2(at::gelu(fc1(rows.view({-1, fc1.weight.size(1)}))));
}

VisionBytes Qwen3Vision::bytes() const {
  const auto element = int64_t(positions_.element_size());
  const int64_t d = tower_.config().width;
  const int64_t outputs = (1 + int64_t(deepstack_.size())) * merger_.fc2.weight.size(0);
  VisionBytes out = tower_.bytes();
  out.per_patch += 4 * d * element + 4 * d * 4 + 2 * outputs * element;  // positions, kept outputs
  return out;
}

at::Tensor Qwen3Vision::encode(const Patches& patches) const {
  const TowerConfig& sizes = tower_.config();
  const at::Tensor x =
      tower_.embed(patches) + learned_positions(positions_, side_, patches.grid, sizes.merge);
  std::vector<at::Tensor> out(1);  // the merged rows before those for deeper layers
  const auto keep = [&](size_t block, const at::Tensor& rows) {
    const auto level = std::find(levels_.begin(), levels_.end(), int64_t(block));
    if (level != levels_.end()) out.push_back(deepstack_[size_t(level - levels_.begin())](rows));
  };
  const Rotary rotary = tower_.rotary(patches.grid, sizes.merge);
  out[0] = merger_(tower_.run(x, rotary, keep));
  return at::cat(out, 1);
}

}  // namespace

std::unique_ptr<VisionEncoder> make_qwen3_vision(const ConfigReader& config, int64_t text_hidden,
                                                 int64_t layers, const ImageProcessorConfig& image,
                                                 Weights& weights, const Ops& ops) {
  const auto vision = Qwen3VisionConfig::read(config);
  if (vision.out_hidden != text_hidden)
    throw_unsupported_config(
        fmt::format("out_hidden_size {} of the vision tower is not the language model's "
                    "hidden_size {}",
                    vision.out_hidden, text_hidden));
  if (int64_t(vision.deepstack.size()) > layers)
    throw_unsupported_config(
        fmt::format("deepstack_visual_indexes: {}, and the language model takes the rows of {}",
                    vision.deepstack.size(), layers));
  image.require(vision.tower.patch, vision.tower.merge, vision.tower.temporal);
  return std::make_unique<Qwen3Vision>(vision, weights, "model.visual.", ops);
}

Vlm::Parts make_qwen3_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  auto text = Qwen2Config::read(config);
  text.qkv_bias = false;
  text.qk_norm = text.interleaved = true;
  if (config.text().boolean("attention_bias", false))
    throw_unsupported_config("attention_bias true is not supported");
  const auto image = ImageProcessorConfig::read(checkpoint);
  auto vision = make_qwen3_vision(config, text.hidden, text.layers, image, weights, ops);
  return {std::make_unique<ImageProcessor>(image), std::move(vision),
          std::make_unique<Qwen2Decoder>(text, weights, "model.language_model.", ops),
          int32_t(config.integer("image_token_id", 151655)), RopeAxes::three};
}

}  // namespace docspec
