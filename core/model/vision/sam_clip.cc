#include "core/model/vision/sam_clip.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/image/view_processor.h"
#include "core/model/vision/sam_encoder.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

constexpr double kEps = 1e-5;  // the Hub's config.json has no key for it

void check(const ClipConfig& config, const char* what) {
  if (config.side < 1 || config.hidden % config.heads != 0)
    throw_unsupported_config(fmt::format("{}, image_size and patch_size do not fit", what));
}

class SamClipVision : public VisionEncoder {
 public:
  /// `images`, which lays out what it reads, and `ops` must outlive it.
  SamClipVision(const SamConfig& sam, const ClipConfig& config, const ViewProcessor& images,
                int64_t width, bool nested, Weights& weights, const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override;

 private:
  struct Block {
    LayerNorm attention_norm, mlp_norm;
    Linear qkv, out, fc1, fc2;
  };
  at::Tensor positions(int64_t side) const;
  at::Tensor clip(const at::Tensor& seen) const;
  at::Tensor view(const at::Tensor& patches) const;
  at::Tensor with_newlines(const at::Tensor& raster) const;

  ClipConfig config_;
  const ViewProcessor& images_;
  const Ops& ops_;
  SamEncoder sam_;
  at::Tensor class_, positions_;  // [hidden], [1 + side * side, hidden]
  LayerNorm first_;
  std::vector<Block> blocks_;
  Linear projector_;
  at::Tensor newline_, separator_;  // [width]
};

/// q, k and v as one product, of which the Hub has one tensor and transformers three.
Linear joined_qkv(const std::string& at, int64_t width, bool nested, Weights& weights) {
  if (!nested) return weights.image_product(at + "qkv_proj", width, 3 * width, true);
  std::vector<Linear> each;
  for (const char* name : {"q_proj", "k_proj", "v_proj"}) {
    each.push_back(weights.image_product(at + name, width, width, true));
    if (!each.back().weight.defined()) return {};
  }
  Linear out;
  for (const auto part : {&Linear::weight, &Linear::bias, &Linear::scale, &Linear::sums})
    if ((each[0].*part).defined())
      out.*part = at::cat({each[0].*part, each[1].*part, each[2].*part});
  return out;
}

SamClipVision::SamClipVision(const SamConfig& sam, const ClipConfig& config,
                             const ViewProcessor& images, int64_t width, bool nested,
                             Weights& weights, const Ops& ops)
    : config_(config),
      images_(images),
      ops_(ops),
      sam_(sam, weights, nested ? "model.vision_tower.sam_encoder." : "model.sam_model.", nested) {
  const int64_t d = config.hidden;
  const std::string prefix = nested ? "model.vision_tower.vision_encoder." : "model.vision_model.";
  const std::string first = prefix + "embeddings.";
  class_ = weights.get(first + "class_embedding", {d});
  positions_ = weights.get(first + "position_embedding.weight", {1 + config.side * config.side, d});
  first_ = weights.layer_norm(prefix + "pre_layrnorm", d, kEps);
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at =
        fmt::format("{}{}.layers.{}.", prefix, nested ? "encoder" : "transformer", i);
    blocks_.push_back({weights.layer_norm(at + "layer_norm1", d, kEps),
                       weights.layer_norm(at + "layer_norm2", d, kEps),
                       joined_qkv(at + "self_attn.", d, nested, weights),
                       weights.image_product(at + "self_attn.out_proj", d, d, true),
                       weights.image_product(at + "mlp.fc1", d, config.intermediate, true),
                       weights.image_product(at + "mlp.fc2", config.intermediate, d, true)});
  }
  projector_ =
      weights.image_product(nested ? "model.multi_modal_projector" : "model.projector.layers",
                            d + sam.channels.back(), width, true);
  newline_ = weights.get("model.image_newline", {width});
  separator_ = weights.get(nested ? "model.view_separator" : "model.view_seperator", {width});
}

VisionBytes SamClipVision::bytes() const {
  const VisionBytes sam = sam_.bytes();
  const int64_t side = images_.tokens_of(images_.views().side), rows = side * side + 1;
  const int64_t clip =
      rows * (10 * config_.hidden + 3 * config_.intermediate + config_.heads * rows) * 4;
  return {sam.fixed + clip, sam.per_patch};
}

/// The class row's position and those of side x side rows: [1 + side * side, hidden].
at::Tensor SamClipVision::positions(int64_t side) const {
  if (side == config_.side) return positions_;
  const at::Tensor grid = positions_.slice(0, 1)
                              .view({1, config_.side, config_.side, config_.hidden})
                              .permute({0, 3, 1, 2})
                              .to(at::kFloat);
  const at::Tensor stretched = at::_upsample_bicubic2d_aa(grid, {side, side}, false)
                                   .permute({0, 2, 3, 1})
                                   .reshape({side * side, config_.hidden});
  return at::cat({positions_.slice(0, 0, 1), stretched.to(positions_.scalar_type())});
}

/// seen: [rows, hidden] of SAM; returns the same shape.
at::Tensor SamClipVision::clip(const at::Tensor& seen) const {
  const auto side = int64_t(std::llround(std::sqrt(double(seen.size(0)))));
  at::Tensor x = first_(at::cat({class_.unsqueeze(0), seen}) + positions(side));
  for (const Block& block : blocks_) {
    const at::Tensor qkv = block.qkv(block.attention_norm(x))
                               .view({1, x.size(0), 3, config_.heads, -1})
                               .permute({2, 0, 3, 1, 4});
    const at::Tensor out = ops_.full_attention(qkv[0], qkv[1], qkv[2]);
    x = x + block.out(out.transpose(1, 2).reshape(x.sizes()));
    const at::Tensor wide = block.fc1(block.mlp_norm(x));
    x = x + block.fc2(wide * at::sigmoid(1.702 * wide));
  }
  return x.slice(0, 1);
}

/// One view's patches -> [side, side, width].
at::Tensor SamClipVision::view(const at::Tensor& patches) const {
  const at::Tensor seen = sam_(patches);  // [1, channels, side, side]
  const at::Tensor rows = seen.flatten(2).squeeze(0).t();
  return projector_(at::cat({clip(rows), rows}, 1)).view({seen.size(2), seen.size(3), -1});
}

/// [h, w, width] -> [h * (w + 1), width]
at::Tensor SamClipVision::with_newlines(const at::Tensor& raster) const {
  const at::Tensor ends = newline_.view({1, 1, -1}).expand({raster.size(0), 1, raster.size(2)});
  return at::cat({raster, ends}, 1).flatten(0, 1);
}

at::Tensor SamClipVision::encode(const Patches& patches) const {
  const ViewProcessor::Config& at = images_.views();
  const bool tiled = patches.grid.patches() > at.side / at.patch * (at.side / at.patch);
  const ViewProcessor::Tiles tiles =
      tiled ? images_.tiles(patches.width_px, patches.height_px) : ViewProcessor::Tiles();
  const int64_t tile = at.tile / at.patch * (at.tile / at.patch);
  std::vector<at::Tensor> rows, out;
  for (int64_t r = 0; r < tiles.rows; ++r) {
    std::vector<at::Tensor> row;
    for (int64_t c = 0; c < tiles.columns; ++c)
      row.push_back(view(patches.values.narrow(0, (r * tiles.columns + c) * tile, tile)));
    rows.push_back(at::cat(row, 1));
  }
  if (!rows.empty()) out.push_back(with_newlines(at::cat(rows)));
  out.push_back(with_newlines(view(patches.values.slice(0, tiles.rows * tiles.columns * tile))));
  out.push_back(separator_.unsqueeze(0));
  return at::cat(out);
}

}  // namespace

ClipConfig ClipConfig::flat(const ConfigReader& config) {
  ClipConfig out;
  out.depth = config.count("layers");
  out.hidden = config.count("width");
  out.intermediate = 4 * out.hidden;
  out.heads = config.count("heads");
  out.patch = config.count("patch_size");
  out.side = config.count("image_size") / out.patch;
  check(out, "clip-l-14-224: width, heads");
  return out;
}

ClipConfig ClipConfig::nested(const ConfigReader& config) {
  ClipConfig out;
  out.depth = config.count("num_hidden_layers", 24);
  out.hidden = config.count("hidden_size", 1024);
  out.intermediate = config.count("intermediate_size", 4096);
  out.heads = config.count("num_attention_heads", 16);
  out.patch = config.count("patch_size", 14);
  out.side = config.count("image_size", 224) / out.patch;
  check(out, "encoder_config: hidden_size, num_attention_heads");
  if (config.string("hidden_act", "quick_gelu") != "quick_gelu")
    throw_unsupported_config("encoder_config: hidden_act is not quick_gelu");
  if (config.number("layer_norm_eps", kEps) != kEps)
    throw_unsupported_config("encoder_config: layer_norm_eps is not 1e-5");
  return out;
}

std::unique_ptr<VisionEncoder> make_sam_clip(const SamConfig& sam, const ClipConfig& clip,
                                             const ViewProcessor& images, int64_t width,
                                             bool nested, Weights& weights, const Ops& ops) {
  if (sam.channels.back() != clip.hidden)
    throw_unsupported_config("downsample_channels and CLIP's width differ");
  return std::make_unique<SamClipVision>(sam, clip, images, width, nested, weights, ops);
}

}  // namespace docspec
