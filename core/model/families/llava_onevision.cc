// LLaVA-OneVision compared with Qwen2.5-VL (the same trunk, Qwen2, with 1-D positions as in
// dots.ocr):
//
// - Images are tiles of a fixed side (core/model/image/anyres_processor.h): the whole image and,
//   from the best of image_grid_pinpoints, its parts. SigLIP reads each tile by itself: learned
//   positions, LayerNorm, separate q, k, v, full attention within the tile, gelu (tanh). The last
//   block's rows are taken as they are: post_layernorm is in the file and not used.
// - A projector of two layers instead of a merger. The parts are put together to one raster, the
//   padding cut off, shrunk where it is worth more than anyres_max_N tiles, and each row of it ends
//   with image_newline; the whole image's rows come first, without.
// - config.json is nested in both layouts; the Hub's tensors are language_model.model.*,
//   language_model.lm_head and vision_tower.vision_model.*.
// - The placeholder is <image>; no system message; general Markdown, no boxes.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/image/anyres_processor.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

struct SiglipConfig {
  int64_t depth = 0, hidden = 0, intermediate = 0, heads = 0, side = 0, patch = 0;
  double eps = 1e-6;

  int64_t positions() const { return (side / patch) * (side / patch); }
  static SiglipConfig read(const ConfigReader& config);
};

SiglipConfig SiglipConfig::read(const ConfigReader& config) {
  const ConfigReader vision = config.vision();
  SiglipConfig out;
  out.depth = vision.count("num_hidden_layers");
  out.hidden = vision.count("hidden_size");
  out.intermediate = vision.count("intermediate_size");
  out.heads = vision.count("num_attention_heads");
  out.side = vision.count("image_size");
  out.patch = vision.count("patch_size");
  out.eps = vision.number("layer_norm_eps", out.eps);
  const std::string kind = vision.string("model_type", "siglip_vision_model");
  if (kind != "siglip_vision_model")
    throw_unsupported_config("a vision tower '" + kind + "' is not supported");
  const std::string act = vision.string("hidden_act", "gelu_pytorch_tanh");
  if (act != "gelu_pytorch_tanh")
    throw_unsupported_config("hidden_act '" + act + "' is not supported");
  if (out.hidden % out.heads != 0 || out.patch > out.side)
    throw_unsupported_config(
        "vision_config: hidden_size, heads, image_size and patch_size do not fit");
  if (vision.boolean("vision_use_head", false))
    throw_unsupported_config("vision_use_head true is not supported");
  return out;
}

/// N of "anyres_max_N".
int64_t most_tiles(const ConfigReader& config) {
  const std::string aspect = config.string("vision_aspect_ratio", "anyres_max_9");
  const std::string number = aspect.substr(aspect.find_last_of('_') + 1);
  if (!aspect.starts_with("anyres_max_") || number.empty() || number.size() > 4 ||
      number.find_first_not_of("0123456789") != number.npos || std::stoi(number) < 1)
    throw_unsupported_config("vision_aspect_ratio '" + aspect +
                             "' is not supported (anyres_max_N is)");
  return std::stoi(number);
}

class LlavaVision : public VisionEncoder {
 public:
  struct Names {
    std::string tower, rest;  ///< prefixes of the tower's tensors and of projector and newline
  };
  /// `images`, which lays out what it reads, and `ops` must outlive it.
  LlavaVision(const SiglipConfig& config, const AnyresProcessor& images, int64_t width,
              Weights& weights, const Names& names, const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override;

 private:
  struct Block {
    LayerNorm attention_norm, mlp_norm;
    Linear q, k, v, out, fc1, fc2;
  };
  at::Tensor tile(const at::Tensor& patches) const;  // [n * n, 3 * patch^2] -> [n * n, width]
  at::Tensor joined(const at::Tensor& tiles, const AnyresLayout& at, const PatchGrid& grid) const;

  SiglipConfig config_;
  const AnyresProcessor& images_;
  const Ops& ops_;
  Linear patch_;          // weight [hidden, 3 * patch * patch]
  at::Tensor positions_;  // [n * n, hidden]
  std::vector<Block> blocks_;
  Linear projector_in_, projector_out_;
  at::Tensor newline_;  // [width]
};

LlavaVision::LlavaVision(const SiglipConfig& config, const AnyresProcessor& images, int64_t width,
                         Weights& weights, const Names& names, const Ops& ops)
    : config_(config), images_(images), ops_(ops) {
  const int64_t d = config.hidden, p = config.patch;
  const auto norm = [&](const std::string& name) {
    return weights.layer_norm(name, d, config.eps);
  };
  const std::string first = names.tower + "embeddings.";
  patch_.weight = weights.get(first + "patch_embedding.weight", {d, 3, p, p});
  if (patch_.weight.defined()) patch_.weight = patch_.weight.view({d, -1});
  patch_.bias = weights.get(first + "patch_embedding.bias", {d});
  positions_ = weights.get(first + "position_embedding.weight", {config.positions(), d});
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}encoder.layers.{}.", names.tower, i);
    const auto square = [&](const char* name) {
      return weights.image_product(at + "self_attn." + name, d, d, true);
    };
    blocks_.push_back({norm(at + "layer_norm1"), norm(at + "layer_norm2"), square("q_proj"),
                       square("k_proj"), square("v_proj"), square("out_proj"),
                       weights.image_product(at + "mlp.fc1", d, config.intermediate, true),
                       weights.image_product(at + "mlp.fc2", config.intermediate, d, true)});
  }
  norm(names.tower + "post_layernorm");  // stored, not used
  projector_in_ =
      weights.image_product(names.rest + "multi_modal_projector.linear_1", d, width, true);
  projector_out_ =
      weights.image_product(names.rest + "multi_modal_projector.linear_2", width, width, true);
  newline_ = weights.get(names.rest + "image_newline", {width});
}

VisionBytes LlavaVision::bytes() const {
  const auto element = int64_t(patch_.weight.element_size());
  const int64_t d = config_.hidden, pixels = patch_.weight.size(1), width = newline_.size(0);
  return {config_.positions() * (10 * d + 3 * config_.intermediate) * 4,
          3 * width * element + pixels * (3 * 4 + element)};
}

at::Tensor LlavaVision::tile(const at::Tensor& patches) const {
  const int64_t rows = patches.size(0);
  at::Tensor x = patch_(patches.to(patch_.weight.options())) + positions_;
  for (const Block& block : blocks_) {
    const at::Tensor normed = block.attention_norm(x);
    const auto heads = [&](const Linear& layer) {  // -> [1, heads, rows, head_dim]
      return layer(normed).view({1, rows, config_.heads, -1}).transpose(1, 2);
    };
    const at::Tensor seen = ops_.full_attention(heads(block.q), heads(block.k), heads(block.v));
    x = x + block.out(seen.transpose(1, 2).reshape({rows, config_.hidden}));
    x = x + block.fc2(at::gelu(block.fc1(block.mlp_norm(x)), "tanh"));
  }
  return projector_out_(at::gelu(projector_in_(x)));
}

/// The tiles of the image's parts as one raster, unpadded and shrunk, with a newline after each
/// row: [kept_rows * (kept_columns + 1), width].
at::Tensor LlavaVision::joined(const at::Tensor& tiles, const AnyresLayout& at,
                               const PatchGrid& grid) const {
  const int64_t width = newline_.size(0);
  at::Tensor raster = tiles.view({at.tile_rows, at.tile_columns, grid.h, grid.w, width})
                          .permute({4, 0, 2, 1, 3})
                          .reshape({width, at.tile_rows * grid.h, at.tile_columns * grid.w});
  raster = raster.narrow(1, at.top, at.rows).narrow(2, at.left, at.columns);
  if (at.kept_rows != at.rows || at.kept_columns != at.columns)
    raster = at::upsample_bilinear2d(raster.unsqueeze(0), {at.kept_rows, at.kept_columns}, false)
                 .squeeze(0);
  const at::Tensor ends = newline_.view({width, 1, 1}).expand({width, at.kept_rows, 1});
  return at::cat({raster, ends}, 2).flatten(1).t();
}

at::Tensor LlavaVision::encode(const Patches& patches) const {
  const int64_t rows = patches.grid.h * patches.grid.w;
  std::vector<at::Tensor> tiles;
  for (int64_t i = 0; i < patches.grid.t; ++i)
    tiles.push_back(tile(patches.values.narrow(0, i * rows, rows)));
  const at::Tensor all = at::cat(tiles);
  return at::cat({all.narrow(0, 0, rows),
                  joined(all.narrow(0, rows, all.size(0) - rows),
                         images_.layout(patches.width_px, patches.height_px), patches.grid)});
}

}  // namespace

Vlm::Parts make_llava_onevision(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const std::string kind = config.text().string("model_type", "qwen2");
  if (kind != "qwen2")
    throw_unsupported_config("text_config: a language model '" + kind + "' is not supported");
  if (config.string("vision_feature_select_strategy", "full") != "full" ||
      config.integer("vision_feature_layer", -1) != -1)
    throw_unsupported_config(
        "vision_feature_select_strategy and _layer: only 'full' and -1 are supported");
  auto text = Qwen2Config::read(config);
  const auto vision = SiglipConfig::read(config);
  auto images = std::make_unique<AnyresProcessor>(
      checkpoint, AnyresProcessor::Config{vision.side, vision.patch, most_tiles(config), {}});
  // transformers 5 nests all under model.; the Hub's files have the older names.
  const bool nested = checkpoint.has("model.language_model.embed_tokens.weight");
  const std::string trunk = nested ? "model.language_model." : "language_model.model.";
  if (!nested) text.head = "language_model.lm_head";
  const std::string rest = nested ? "model." : "", tower = rest + "vision_tower.";
  const bool deep = checkpoint.has(tower + "vision_model.post_layernorm.weight");
  auto encoder = std::make_unique<LlavaVision>(
      vision, *images, text.hidden, weights,
      LlavaVision::Names{deep ? tower + "vision_model." : tower, rest}, ops);
  return {std::move(images), std::move(encoder),
          std::make_unique<Qwen2Decoder>(text, weights, trunk, ops),
          int32_t(config.integer("image_token_index", config.integer("image_token_id", 151646))),
          RopeAxes::one};
}

}  // namespace docspec
