// HunyuanOCR compared with Qwen3-VL (its nearest relative: heads of head_dim, norms of q and k):
//
// - Patches of 16 pixels in raster order, one frame each; learned positions on a square grid,
//   bilinear in the middle of its cells (its first row, for a class token, is not used). No rotary
//   positions. Blocks: LayerNorm, separate q, k, v, full attention, gelu (exact).
// - The merger: an RMSNorm, a convolution of merge x merge patches, gelu, a second one of 1 x 1; a
//   newline after each row; one product; a row before and one after all of them; an RMSNorm. rows x
//   (columns + 1) + 2 visual rows.
// - The language model: the norms of q and k come after the rotation. Four rotary axes: index,
//   column, row, number of the image (0); the columns and rows of an image count from 0, text goes
//   on with its index. The base is stretched by alpha ("dynamic", "xdrope" in the Hub's file).
// - The sections are shares of the whole head, twice as wide as they say, so that both members of a
//   rotated pair may go by different axes: as transformers 5.17 has it. Tencent's training code and
//   vLLM give each half of a head all sections, as Qwen2.5-VL does: "xdrope_halves": true in
//   docspec.json. Text is the same in both (share/doc/papers.md).
// - config.json is flat on the Hub, the tensors are vit. and model.; the head is tied there
//   whatever it says, unless lm_head.weight is in the file.
// - The system message is the empty string; plain Markdown, no boxes.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

struct HunyuanVisionConfig {
  int64_t depth = 0, hidden = 0, intermediate = 0, heads = 0, out_hidden = 0;
  int64_t patch = 16, merge = 2;
  int64_t side = 0;  ///< of the square grid of learned positions
  double eps = 1e-5;

  static HunyuanVisionConfig read(const ConfigReader& config, int64_t out_hidden);
};

HunyuanVisionConfig HunyuanVisionConfig::read(const ConfigReader& config, int64_t out_hidden) {
  const ConfigReader vision = config.vision();
  HunyuanVisionConfig out;
  out.depth = vision.count("num_hidden_layers");
  out.hidden = vision.count("hidden_size");
  out.intermediate = vision.count("intermediate_size");
  out.heads = vision.count("num_attention_heads");
  out.out_hidden = out_hidden;
  out.patch = vision.count("patch_size", out.patch);
  out.merge = vision.count("spatial_merge_size", out.merge);
  out.side = vision.count("max_image_size", 2048) / out.patch;
  out.eps = vision.number("rms_norm_eps", out.eps);
  if (out.side < 1 || out.hidden % out.heads != 0)
    throw_unsupported_config(
        "vision_config: max_image_size and patch_size, or hidden_size and heads do not fit");
  if (vision.count("num_key_value_heads", out.heads) != out.heads)
    throw_unsupported_config(
        "vision_config: num_key_value_heads other than the heads are not supported");
  const std::string act = vision.string("hidden_act", "gelu");
  if (act != "gelu") throw_unsupported_config("hidden_act '" + act + "' is not supported");
  const std::string mode = vision.string("interpolate_mode", "bilinear");
  if (mode != "bilinear")
    throw_unsupported_config("interpolate_mode '" + mode + "' is not supported");
  if (vision.count("num_channels", 3) != 3)
    throw_unsupported_config("only images of 3 channels are supported");
  return out;
}

/// Patches in raster order; a newline row after each row of merged ones, one row at either end.
class HunyuanProcessor : public ImageProcessor {
 public:
  using ImageProcessor::ImageProcessor;
  int64_t visual_tokens(int width_px, int height_px) const override {
    const PatchGrid at = grid(width_px, height_px);
    return at.h / config_.merge * (at.w / config_.merge + 1) + 2;
  }
  Patches operator()(const PageImage& image) const override {
    return raster_patches(image, grid(image.width_px(), image.height_px()));
  }
};

class HunyuanVision : public VisionEncoder {
 public:
  /// The tensors' names: the Hub's, or those of transformers 5.
  HunyuanVision(const HunyuanVisionConfig& config, Weights& weights, bool nested, const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override;

 private:
  struct Block {
    LayerNorm attention_norm, mlp_norm;
    Linear q, k, v, out, fc1, fc2;
  };
  at::Tensor positions(const PatchGrid& grid) const;
  at::Tensor attend(const Block& block, const at::Tensor& x) const;
  at::Tensor merged(const at::Tensor& x, const PatchGrid& grid) const;

  HunyuanVisionConfig config_;
  const Ops& ops_;
  Linear patch_;          // weight [hidden, 3 * patch * patch]
  at::Tensor positions_;  // [1, hidden, side, side]
  std::vector<Block> blocks_;
  RmsNorm before_, after_;
  Linear merge_, widen_, out_;  // merge_: weight [2 * hidden, hidden * merge * merge]
  at::Tensor newline_;          // [4 * hidden]
  at::Tensor begin_, end_;      // [out_hidden]
};

HunyuanVision::HunyuanVision(const HunyuanVisionConfig& config, Weights& weights, bool nested,
                             const Ops& ops)
    : config_(config), ops_(ops) {
  const int64_t d = config.hidden, p = config.patch, m = config.merge;
  const std::string prefix = nested ? "model.vision_tower." : "vit.";
  patch_.weight = weights.get(prefix + "embeddings.patch_embedding.weight", {d, 3, p, p});
  if (patch_.weight.defined()) patch_.weight = patch_.weight.view({d, -1});
  patch_.bias = weights.get(prefix + "embeddings.patch_embedding.bias", {d});
  positions_ = weights.get(prefix + "embeddings.position_embedding.weight",
                           {config.side * config.side + 1, d});
  if (positions_.defined())
    positions_ = positions_.narrow(0, 1, config.side * config.side)
                     .view({1, config.side, config.side, d})
                     .permute({0, 3, 1, 2});
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}layers.{}.", prefix, i);
    const auto norm = [&](const char* name) {
      return weights.layer_norm(at + name, d, config.eps);
    };
    const auto square = [&](const char* name) {
      return weights.image_product(at + "self_attn." + name, d, d, true);
    };
    blocks_.push_back({norm(nested ? "layer_norm1" : "input_layernorm"),
                       norm(nested ? "layer_norm2" : "post_attention_layernorm"), square("q_proj"),
                       square("k_proj"), square("v_proj"), square("o_proj"),
                       weights.image_product(at + (nested ? "mlp.fc1" : "mlp.dense_h_to_4h"), d,
                                             config.intermediate, true),
                       weights.image_product(at + (nested ? "mlp.fc2" : "mlp.dense_4h_to_h"),
                                             config.intermediate, d, true)});
  }
  const std::string merger = prefix + (nested ? "patch_merger." : "perceive.");
  const auto convolution = [&](const std::string& name, int64_t in, int64_t out, int64_t side) {
    Linear layer;
    layer.weight = weights.get(name + ".weight", {out, in, side, side});
    if (layer.weight.defined()) layer.weight = layer.weight.view({out, -1});
    layer.bias = weights.get(name + ".bias", {out});
    return layer;
  };
  before_ = weights.norm(merger + "before_rms", d, config.eps);
  merge_ = convolution(merger + (nested ? "proj_conv" : "proj.0"), d, 2 * d, m);
  widen_ = convolution(merger + (nested ? "proj_out" : "proj.2"), 2 * d, 4 * d, 1);
  newline_ = weights.get(merger + "image_newline", {4 * d});
  out_ = weights.image_product(merger + "mlp", 4 * d, config.out_hidden, true);
  begin_ = weights.get(merger + "image_begin", {config.out_hidden});
  end_ = weights.get(merger + "image_end", {config.out_hidden});
  const std::string separator = merger + "image_sep";  // where it is stored it is not used
  if (weights.checkpoint().has(separator)) weights.get(separator, {config.out_hidden});
  after_ = weights.norm(merger + "after_rms", config.out_hidden, config.eps);
}

VisionBytes HunyuanVision::bytes() const {
  const auto element = int64_t(patch_.weight.element_size());
  const int64_t d = config_.hidden, pixels = patch_.weight.size(1);
  return {
      kTileRows * (2 * config_.intermediate * element),
      8 * d * element + 4 * d * 4 + 2 * config_.out_hidden * element + pixels * (3 * 4 + element)};
}

/// [patches, hidden] in the model's dtype.
at::Tensor HunyuanVision::positions(const PatchGrid& grid) const {
  return at::upsample_bilinear2d(positions_.to(at::kFloat), {grid.h, grid.w}, false)
      .flatten(2)
      .squeeze(0)
      .t()
      .to(patch_.weight.scalar_type());
}

at::Tensor HunyuanVision::attend(const Block& block, const at::Tensor& x) const {
  const at::Tensor normed = block.attention_norm(x);
  const auto heads = [&](const Linear& layer) {  // -> [1, heads, rows, head_dim]
    return layer(normed).view({1, x.size(0), config_.heads, -1}).transpose(1, 2);
  };
  const at::Tensor seen = ops_.full_attention(heads(block.q), heads(block.k), heads(block.v));
  return block.out(seen.transpose(1, 2).reshape(x.sizes()));
}

/// The rows that the language model sees: [rows * (columns + 1) + 2, out_hidden].
at::Tensor HunyuanVision::merged(const at::Tensor& x, const PatchGrid& grid) const {
  const int64_t m = config_.merge, rows = grid.h / m, columns = grid.w / m;
  const at::Tensor blocks = before_(x)
                                .view({rows, m, columns, m, config_.hidden})
                                .permute({0, 2, 4, 1, 3})
                                .reshape({rows * columns, -1});
  const at::Tensor wide = widen_(at::gelu(merge_(blocks))).view({rows, columns, -1});
  const at::Tensor ends = newline_.view({1, 1, -1}).expand({rows, 1, wide.size(2)});
  const at::Tensor all = out_(at::cat({wide, ends}, 1).flatten(0, 1));
  return after_(at::cat({begin_.unsqueeze(0), all, end_.unsqueeze(0)}));
}

at::Tensor HunyuanVision::encode(const Patches& patches) const {
  at::Tensor x = patch_(patches.values.to(patch_.weight.options())) + positions(patches.grid);
  for (const Block& block : blocks_) {
    x = x + attend(block, x);
    x = in_tiles(x, [&](const at::Tensor& rows, int64_t) {
      return rows + block.fc2(at::gelu(block.fc1(block.mlp_norm(rows))));
    });
  }
  return merged(x, patches.grid);
}

Qwen2Config text_config(const Checkpoint& checkpoint, const ConfigReader& config, bool nested) {
  const ConfigReader text = config.text();
  auto out = Qwen2Config::read(config);
  out.rms_eps = text.number("rms_norm_eps", 1e-5);
  out.tied = !nested || (config.boolean("tie_word_embeddings", true) &&
                         text.boolean("tie_word_embeddings", true));
  out.qkv_bias = false;
  out.qk_norm = out.norm_turned = true;
  out.q_norm = "query_layernorm";
  out.k_norm = "key_layernorm";
  const nlohmann::json own = checkpoint.json("docspec.json");
  out.split_head =
      !own.is_object() || !ConfigReader(own, "docspec.json").boolean("xdrope_halves", false);
  if (out.mrope_section.size() != size_t(kMostRopeAxes))
    throw_unsupported_config(
        "mrope_section (xdrope_section) of other than 4 sections is not supported");
  if (text.boolean("attention_bias", false))
    throw_unsupported_config("attention_bias true is not supported");
  return out;
}

}  // namespace

Vlm::Parts make_hunyuan_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const bool nested = checkpoint.has("model.language_model.embed_tokens.weight");
  const Qwen2Config text = text_config(checkpoint, config, nested);
  const auto vision = HunyuanVisionConfig::read(config, text.hidden);
  ImageProcessorConfig image;
  image.patch = 16;
  image.temporal = 1;
  image.min_pixels = 512 * 512;
  image.max_pixels = 2048 * 2048;
  image = ImageProcessorConfig::read(checkpoint, image);
  image.require(vision.patch, vision.merge, 1);
  return {std::make_unique<HunyuanProcessor>(image),
          std::make_unique<HunyuanVision>(vision, weights, nested, ops),
          std::make_unique<Qwen2Decoder>(text, weights, nested ? "model.language_model." : "model.",
                                         ops),
          int32_t(config.integer("image_token_id", 120120)), RopeAxes::four};
}

}  // namespace docspec
