// PaddleOCR-VL as transformers 5.24 runs it ([paddleocr-vl]): a model for regions, not for pages.
//
// - Vision: SigLIP on images of any size. Patches in raster order by a convolution with bias;
//   learned positions on a square grid, interpolated to the image's, bilinear between the middles
//   of cells as in the published code (transformers 5.17 took their corners); 2-D rotary positions
//   as in Qwen2.5-VL. LayerNorm, q, k, v with biases, fc1, gelu (tanh), fc2; a LayerNorm after the
//   last block. Every block attends the whole image.
// - Projector: a LayerNorm of each patch, eps 1e-5, 2 x 2 patches side by side, two products with
//   biases, a GELU between them.
// - Language model: ERNIE-4.5, which is Qwen2's trunk without biases (use_bias), with Qwen2.5-VL's
//   three rotary axes.
// - Sides below one merge block are stretched to it, both by the same factor, before the rest of
//   Qwen's resize.
// - Published files are flat; there the projector is mlp_AR, the tower visual, and the head is the
//   embedding table whatever tie_word_embeddings says. Their attention pooling and packing
//   positions are read by nothing.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/vision/vision_tower.h"

namespace docspec {
namespace {

constexpr double kProjectorEps = 1e-5;  // no key of config.json

struct PaddleVisionConfig {
  TowerConfig tower;
  int64_t side = 0;  ///< of the square grid of learned positions
  double eps = 1e-6;

  static PaddleVisionConfig read(const ConfigReader& config);
};

PaddleVisionConfig PaddleVisionConfig::read(const ConfigReader& config) {
  const ConfigReader vision = config.vision();
  PaddleVisionConfig out;
  out.tower = TowerConfig::read(vision, {}, {.activation = Activation::gelu_tanh});
  out.tower.temporal = 1;  // published files say 2 and mean videos
  out.side = vision.count("image_size", 384) / out.tower.patch;
  out.eps = vision.number("layer_norm_eps", out.eps);
  if (out.side < 1) throw_unsupported_config("vision_config: image_size is below patch_size");
  return out;
}

class PaddleProcessor : public ImageProcessor {
 public:
  using ImageProcessor::ImageProcessor;
  PatchGrid grid(int width_px, int height_px) const override {
    const auto least = int(config_.patch * config_.merge);
    const auto stretched = [&](int side, int other) {  // half to even
      return int(std::nearbyint(double(side) * least / other));
    };
    if (height_px < least && height_px > 0) {
      width_px = stretched(width_px, height_px);
      height_px = least;
    }
    if (width_px < least && width_px > 0) {
      height_px = stretched(height_px, width_px);
      width_px = least;
    }
    return ImageProcessor::grid(width_px, height_px);
  }
  Patches operator()(const PageImage& image) const override {
    return raster_patches(image, grid(image.width_px(), image.height_px()));
  }
};

class PaddleVision : public VisionEncoder {
 public:
  /// `prefix`: of the tower's tensors, `projector`: of the projector's.
  PaddleVision(const PaddleVisionConfig& config, int64_t text_width, Weights& weights,
               const std::string& prefix, const std::string& projector, const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override;

 private:
  at::Tensor positions_of(PatchGrid grid) const;

  const int64_t side_;
  VisionTower tower_;
  at::Tensor positions_;  // [side * side, width]
  LayerNorm last_norm_, projector_norm_;
  Linear projector_in_, projector_out_;
};

PaddleVision::PaddleVision(const PaddleVisionConfig& config, int64_t text_width, Weights& weights,
                           const std::string& prefix, const std::string& projector, const Ops& ops)
    : side_(config.side),
      tower_(config.tower, weights, prefix + "embeddings.patch_embedding", 0, true, ops) {
  const TowerConfig& sizes = config.tower;
  const int64_t d = sizes.width, wide = sizes.intermediate, merged = d * sizes.merge * sizes.merge;
  positions_ = weights.get(prefix + "embeddings.position_embedding.weight", {side_ * side_, d});
  for (int64_t i = 0; i < sizes.depth; ++i) {
    const std::string at = fmt::format("{}encoder.layers.{}.", prefix, i);
    const auto square = [&](const char* name) {
      return weights.image_product(at + "self_attn." + name, d, d, true);
    };
    tower_.add({.attention_norm = weights.layer_norm(at + "layer_norm1", d, config.eps),
                .mlp_norm = weights.layer_norm(at + "layer_norm2", d, config.eps),
                .qkv = {square("q_proj"), square("k_proj"), square("v_proj")},
                .out = square("out_proj"),
                .up = weights.image_product(at + "mlp.fc1", d, wide, true),
                .down = weights.image_product(at + "mlp.fc2", wide, d, true)});
  }
  last_norm_ = weights.layer_norm(prefix + "post_layernorm", d, config.eps);
  projector_norm_ = weights.layer_norm(projector + "pre_norm", d, kProjectorEps);
  projector_in_ = weights.image_product(projector + "linear_1", merged, merged, true);
  projector_out_ = weights.image_product(projector + "linear_2", merged, text_width, true);
}

VisionBytes PaddleVision::bytes() const {
  VisionBytes out = tower_.bytes();
  out.per_patch += tower_.config().width * (4 * int64_t(positions_.element_size()) + 4 * 4);
  return out;
}

at::Tensor PaddleVision::positions_of(PatchGrid grid) const {  // [grid.h * grid.w, width]
  const at::Tensor square = positions_.to(at::kFloat).t().reshape({1, -1, side_, side_});
  return at::upsample_bilinear2d(square, {grid.h, grid.w}, false)
      .flatten(2)[0]
      .t()
      .to(positions_.scalar_type());
}

at::Tensor PaddleVision::encode(const Patches& patches) const {
  const int64_t m = tower_.config().merge, rows = patches.grid.h / m, columns = patches.grid.w / m;
  const at::Tensor x = tower_.embed(patches) + positions_of(patches.grid);
  const at::Tensor seen = last_norm_(tower_.run(x, tower_.rotary(patches.grid, 1)));
  const at::Tensor blocks = projector_norm_(seen)
                                .view({rows, m, columns, m, -1})
                                .transpose(1, 2)
                                .reshape({rows * columns, -1});
  return projector_out_(at::gelu(projector_in_(blocks)));
}

}  // namespace

Vlm::Parts make_paddleocr_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const bool nested = checkpoint.has("model.language_model.embed_tokens.weight");
  auto text = Qwen2Config::read(config);
  text.rms_eps = config.text().number("rms_norm_eps", 1e-5);
  text.qkv_bias = false;
  text.tied = text.tied || !nested;
  if (config.text().boolean("use_bias", false))
    throw_unsupported_config("use_bias true is not supported");
  const auto vision = PaddleVisionConfig::read(config);
  ImageProcessorConfig image;
  image.temporal = 1;
  image.min_pixels = 384 * 384;
  image.max_pixels = 1536 * 1536;
  image = ImageProcessorConfig::read(checkpoint, image);
  image.require(vision.tower.patch, vision.tower.merge, 1);
  const std::string root = nested ? "model." : "";
  for (const char* unread : {"packing_position_embedding", "vision_model.head."})
    weights.pass_over(unread);
  return {
      std::make_unique<PaddleProcessor>(image),
      std::make_unique<PaddleVision>(vision, text.hidden, weights, root + "visual.vision_model.",
                                     nested ? "model.projector." : "mlp_AR.", ops),
      std::make_unique<Qwen2Decoder>(text, weights, nested ? "model.language_model." : "model.",
                                     ops),
      int32_t(config.integer("image_token_id", 100295)), RopeAxes::three};
}

}  // namespace docspec
