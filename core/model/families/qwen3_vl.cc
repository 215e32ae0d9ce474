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
#include "core/model/families/qwen3_vl.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

constexpr double kEps = 1e-6;  // no key of config.json

struct Qwen3VisionConfig {
  int64_t depth = 0, hidden = 0, intermediate = 0, heads = 0, out_hidden = 0;
  int64_t patch = 16, merge = 2, temporal = 2;
  int64_t side = 0;                ///< of the square grid of learned positions
  std::vector<int64_t> deepstack;  ///< blocks after which further rows are made
  double rope_theta = 10000;

  int64_t head_dim() const { return hidden / heads; }
  static Qwen3VisionConfig read(const ConfigReader& config);
};

Qwen3VisionConfig Qwen3VisionConfig::read(const ConfigReader& config) {
  const ConfigReader vision = config.vision();
  Qwen3VisionConfig out;
  out.depth = vision.count("depth");
  out.hidden = vision.count("hidden_size");
  out.intermediate = vision.count("intermediate_size");
  out.heads = vision.count("num_heads");
  out.out_hidden = vision.count("out_hidden_size");
  out.patch = vision.count("patch_size", out.patch);
  out.merge = vision.count("spatial_merge_size", out.merge);
  out.temporal = vision.count("temporal_patch_size", out.temporal);
  if (vision.has("deepstack_visual_indexes"))
    out.deepstack = vision.integers("deepstack_visual_indexes");
  out.rope_theta = vision.rope().theta;
  const int64_t positions = vision.count("num_position_embeddings");
  out.side = std::llround(std::sqrt(double(positions)));
  if (out.side * out.side != positions)
    throw_unsupported_config(fmt::format("num_position_embeddings {} is no square", positions));
  if (out.hidden % (4 * out.heads) != 0)
    throw_unsupported_config(
        fmt::format("hidden_size {} is no multiple of 4 x num_heads {}", out.hidden, out.heads));
  for (const int64_t block : out.deepstack)
    if (block < 0 || block >= out.depth)
      throw_unsupported_config(
          fmt::format("deepstack_visual_indexes: there is no block {}", block));
  const std::string act = vision.string("hidden_act", "gelu_pytorch_tanh");
  if (act != "gelu_pytorch_tanh")
    throw_unsupported_config("hidden_act '" + act + "' is not supported");
  if (vision.count("in_channels", 3) != 3)
    throw_unsupported_config("only images of 3 channels are supported");
  return out;
}

class Qwen3Vision : public VisionEncoder {
 public:
  Qwen3Vision(const Qwen3VisionConfig& config, Weights& weights, const std::string& prefix,
              const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override;

 private:
  struct Block {
    LayerNorm attention_norm, mlp_norm;
    Linear qkv, proj, fc1, fc2;
  };
  struct Merger {
    LayerNorm norm;
    Linear fc1, fc2;
    at::Tensor operator()(const at::Tensor& x) const;  // -> [patches / merge^2, out_hidden]
  };
  Merger merger(Weights& weights, const std::string& name, int64_t norm_size) const;
  at::Tensor positions(const PatchGrid& grid) const;
  at::Tensor attend(const Block& block, const at::Tensor& x, const Rotary& rotary) const;

  Qwen3VisionConfig config_;
  const Ops& ops_;
  Linear patch_;          // weight [hidden, 3 * temporal * patch * patch]
  at::Tensor positions_;  // [side * side, hidden]
  std::vector<Block> blocks_;
  Merger merger_;
  std::vector<Merger> deepstack_;
};

Qwen3Vision::Qwen3Vision(const Qwen3VisionConfig& config, Weights& weights,
                         const std::string& prefix, const Ops& ops)
    : config_(config), ops_(ops) {
  const int64_t d = config.hidden, p = config.patch;
  patch_.weight = weights.get(prefix + "patch_embed.proj.weight", {d, 3, config.temporal, p, p});
  if (patch_.weight.defined()) patch_.weight = patch_.weight.view({d, -1});
  patch_.bias = weights.get(prefix + "patch_embed.proj.bias", {d});
  positions_ = weights.get(prefix + "pos_embed.weight", {config.side * config.side, d});
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}blocks.{}.", prefix, i);
    blocks_.push_back({weights.layer_norm(at + "norm1", d, kEps),
                       weights.layer_norm(at + "norm2", d, kEps),
                       weights.linear(at + "attn.qkv", d, 3 * d, true),
                       weights.linear(at + "attn.proj", d, d, true),
                       weights.linear(at + "mlp.linear_fc1", d, config.intermediate, true),
                       weights.linear(at + "mlp.linear_fc2", config.intermediate, d, true)});
  }
  merger_ = merger(weights, prefix + "merger", d);
  for (size_t i = 0; i < config.deepstack.size(); ++i)
    deepstack_.push_back(merger(weights, fmt::format("{}deepstack_merger_list.{}", prefix, i),
                                d * config.merge * config.merge));
}

Qwen3Vision::Merger Qwen3Vision::merger(Weights& weights, const std::string& name,
                                        int64_t norm_size) const {
  const int64_t merged = config_.hidden * config_.merge * config_.merge;
  return {weights.layer_norm(name + ".norm", norm_size, kEps),
          weights.linear(name + ".linear_fc1", merged, merged, true),
          weights.linear(name + ".linear_fc2", merged, config_.out_hidden, true)};
}

at::Tensor Qwen3Vision::Merger::operator()(const at::Tensor& x) const {
  const at::Tensor rows = norm(x.view({-1, norm.weight.size(0)}));
  return fc2(at::gelu(fc1(rows.view({-1, fc1.weight.size(1)}))));
}

VisionBytes Qwen3Vision::bytes() const {
  const auto element = int64_t(patch_.weight.element_size());
  const int64_t d = config_.hidden, pixels = patch_.weight.size(1);
  const int64_t outputs = (1 + int64_t(deepstack_.size())) * config_.out_hidden;
  return {kTileRows * (24 * d + 3 * config_.intermediate * element),
          14 * d * element + 4 * d * 4 + 2 * outputs * element + pixels * (3 * 4 + element)};
}

/// Learned positions of the image's patches, bilinear between the grid's corners:
/// [patches, hidden].
at::Tensor Qwen3Vision::positions(const PatchGrid& grid) const {
  const int64_t merge = config_.merge, columns = grid.w / merge, unit = merge * merge;
  struct Taps {
    int64_t low, high;
    float share;  // of the higher one
  };
  const auto taps = [&](int64_t index, int64_t size) {
    const float at = float(index * (config_.side - 1)) / float(std::max<int64_t>(size - 1, 1));
    const auto low = int64_t(std::floor(at));
    return Taps{low, std::min(low + 1, config_.side - 1), at - float(low)};
  };
  at::Tensor index = at::empty({4, grid.patches()}, at::kLong);
  at::Tensor share = at::empty({4, grid.patches()}, at::kFloat);
  auto i = index.accessor<int64_t, 2>();
  auto s = share.accessor<float, 2>();
  for (int64_t n = 0; n < grid.patches(); ++n) {
    const int64_t block = n / unit, in = n % unit;
    const Taps y = taps(block / columns * merge + in / merge, grid.h);
    const Taps x = taps(block % columns * merge + in % merge, grid.w);
    for (int64_t k = 0; k < 4; ++k) {
      i[k][n] = (k < 2 ? y.low : y.high) * config_.side + (k % 2 == 0 ? x.low : x.high);
      s[k][n] = (k < 2 ? 1 - y.share : y.share) * (k % 2 == 0 ? 1 - x.share : x.share);
    }
  }
  at::Tensor out;
  for (int64_t k = 0; k < 4; ++k) {
    const at::Tensor rows = positions_.index_select(0, index[k].to(positions_.device()));
    const at::Tensor part = rows * share[k].unsqueeze(1).to(positions_.device());
    out = out.defined() ? out.add_(part) : part;
  }
  return out.to(positions_.scalar_type());
}

at::Tensor Qwen3Vision::attend(const Block& block, const at::Tensor& x,
                               const Rotary& rotary) const {
  return block.proj(tiled_attention(ops_, x, config_.heads, rotary, [&](const at::Tensor& rows) {
    return block.qkv(block.attention_norm(rows));
  }));
}

at::Tensor Qwen3Vision::encode(const Patches& patches) const {
  const Rotary rotary = patch_rotary(patches.grid, config_.merge, config_.rope_theta,
                                     config_.head_dim(), {}, patch_.weight);
  at::Tensor x = patch_(patches.values.to(patch_.weight.options())) + positions(patches.grid);
  std::vector<at::Tensor> out(1);  // the merged rows before those for deeper layers
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    x = x + attend(block, x, rotary);
    x = in_tiles(x, [&](const at::Tensor& rows, int64_t) {
      return rows + block.fc2(at::gelu(block.fc1(block.mlp_norm(rows)), "tanh"));
    });
    const auto level = std::find(config_.deepstack.begin(), config_.deepstack.end(), int64_t(i));
    if (level != config_.deepstack.end())
      out.push_back(deepstack_[size_t(level - config_.deepstack.begin())](x));
  }
  out[0] = merger_(x);
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
  image.require(vision.patch, vision.merge, vision.temporal);
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
