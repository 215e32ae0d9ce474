// LightOnOCR as transformers 5.17 runs it ([lighton-ocr]): Mistral's vision on Qwen's text.
//
// - Vision: Pixtral. Patches by a convolution without bias, an RMSNorm after it; every block
// attends
//   the whole image, no biases, SwiGLU, eps 1e-5 throughout. Of the rotary frequencies of a head,
//   rows of patches take those at even places and columns those at odd ones.
// - Projector: RMSNorm with the language model's eps, then 2 x 2 patches side by side, each
// channel's
//   four next to each other, and three products without bias, a GELU before the last.
// - Language model: Qwen3 with 1-D rotary positions that count visual rows one by one. No tokens
//   part the rows of an image.
// - Published files may call themselves mistral3 (registry.cc).
#include "core/model/families/lighton_ocr.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/image/pixtral_processor.h"
#include "core/model/layers/tiled_attention.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

constexpr double kEps = 1e-5;  // no key of config.json

struct PixtralConfig {
  int64_t depth = 0, width = 0, intermediate = 0, heads = 0, patch = 16, merge = 2;
  double theta = 10000;

  int64_t head_dim() const { return width / heads; }
  static PixtralConfig read(const ConfigReader& config);
};

PixtralConfig PixtralConfig::read(const ConfigReader& config) {
  const ConfigReader vision = config.vision();
  PixtralConfig out;
  out.depth = vision.count("num_hidden_layers");
  out.width = vision.count("hidden_size");
  out.intermediate = vision.count("intermediate_size");
  out.heads = vision.count("num_attention_heads");
  out.patch = vision.count("patch_size", out.patch);
  out.merge = config.count("spatial_merge_size", out.merge);
  out.theta = vision.rope().theta;
  if (out.width % (4 * out.heads) != 0)
    throw_unsupported_config(
        fmt::format("vision_config: hidden_size {} is no multiple of 4 x num_attention_heads {}",
                    out.width, out.heads));
  if (vision.count("head_dim", out.head_dim()) != out.head_dim())
    throw_unsupported_config("vision_config: head_dim is not hidden_size / num_attention_heads");
  if (vision.count("num_channels", 3) != 3)
    throw_unsupported_config("vision_config: num_channels: only 3 is supported");
  const std::string act = vision.string("hidden_act", "gelu");
  if (act != "silu")
    throw_unsupported_config("vision_config: hidden_act '" + act + "' is not supported (silu is)");
  return out;
}

class PixtralVision : public VisionEncoder {
 public:
  /// `text_width`, `text_eps`: of the language model.
  PixtralVision(const PixtralConfig& config, int64_t text_width, double text_eps, Weights& weights,
                const Ops& ops);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override;

 private:
  struct Block {
    RmsNorm attention_norm, mlp_norm;
    Linear q, k, v, out;
    SwiGlu mlp;
  };
  Rotary rotary(const PatchGrid& grid) const;
  at::Tensor merge(const at::Tensor& x, const PatchGrid& grid) const;

  PixtralConfig config_;
  const Ops& ops_;
  Linear patch_;  // weight [width, 3 * patch * patch]
  RmsNorm patch_norm_, merger_norm_;
  std::vector<Block> blocks_;
  Linear merger_, projector_in_, projector_out_;
};

PixtralVision::PixtralVision(const PixtralConfig& config, int64_t text_width, double text_eps,
                             Weights& weights, const Ops& ops)
    : config_(config), ops_(ops) {
  const int64_t d = config.width, wide = config.intermediate;
  const std::string tower = "model.vision_encoder.", projector = "model.vision_projection.";
  patch_.weight = weights.get(tower + "patch_conv.weight", {d, 3, config.patch, config.patch});
  if (patch_.weight.defined()) patch_.weight = patch_.weight.view({d, -1});
  patch_norm_ = weights.norm(tower + "ln_pre", d, kEps);
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}transformer.layers.{}.", tower, i);
    const auto square = [&](const char* name) {
      return weights.linear(at + "attention." + name, d, d);
    };
    blocks_.push_back({weights.norm(at + "attention_norm", d, kEps),
                       weights.norm(at + "ffn_norm", d, kEps),
                       square("q_proj"),
                       square("k_proj"),
                       square("v_proj"),
                       square("o_proj"),
                       {weights.linear(at + "feed_forward.gate_proj", d, wide),
                        weights.linear(at + "feed_forward.up_proj", d, wide),
                        weights.linear(at + "feed_forward.down_proj", wide, d)}});
  }
  merger_norm_ = weights.norm(projector + "norm", d, text_eps);
  merger_ =
      weights.linear(projector + "patch_merger.merging_layer", d * config.merge * config.merge, d);
  projector_in_ = weights.linear(projector + "linear_1", d, text_width);
  projector_out_ = weights.linear(projector + "linear_2", text_width, text_width);
}

VisionBytes PixtralVision::bytes() const {
  const auto element = int64_t(patch_.weight.element_size());
  const int64_t d = config_.width, pixels = patch_.weight.size(1);
  // For each patch: rows, q, k, v, what attention gives, and copies of these while they turn.
  return {kTileRows * (24 * d + swiglu_row_bytes(config_.intermediate, element)),
          10 * d * element + pixels * (3 * 4 + element) + 3 * 4 * config_.head_dim()};
}

Rotary PixtralVision::rotary(const PatchGrid& grid) const {
  const std::vector<float> frequencies = rotary_frequencies(config_.theta, config_.head_dim());
  std::vector<float> angles;
  angles.reserve(size_t(grid.patches()) * frequencies.size());
  for (int64_t y = 0; y < grid.h; ++y)
    for (int64_t x = 0; x < grid.w; ++x) {
      for (size_t i = 0; i < frequencies.size(); i += 2)
        angles.push_back(float(y) * frequencies[i]);
      for (size_t i = 1; i < frequencies.size(); i += 2)
        angles.push_back(float(x) * frequencies[i]);
    }
  return make_rotary(angles, grid.patches(), patch_.weight);
}

/// [patches, width] -> [merge blocks, width * merge^2]; what fills no block is left out.
at::Tensor PixtralVision::merge(const at::Tensor& x, const PatchGrid& grid) const {
  const int64_t m = config_.merge, rows = grid.h / m, columns = grid.w / m;
  return x.view({grid.h, grid.w, config_.width})
      .narrow(0, 0, rows * m)
      .narrow(1, 0, columns * m)
      .reshape({rows, m, columns, m, config_.width})
      .permute({0, 2, 4, 1, 3})
      .reshape({rows * columns, config_.width * m * m});
}

at::Tensor PixtralVision::encode(const Patches& patches) const {
  const Rotary turn = rotary(patches.grid);
  at::Tensor x = patch_norm_(patch_(patches.values.to(patch_.weight.options())));
  for (const Block& block : blocks_) {
    x = x + block.out(tiled_attention(ops_, x, config_.heads, turn, [&](const at::Tensor& rows) {
      const at::Tensor normed = block.attention_norm(rows);
      return at::cat({block.q(normed), block.k(normed), block.v(normed)}, 1);
    }));
    x = in_tiles(
        x, [&](const at::Tensor& rows, int64_t) { return rows + block.mlp(block.mlp_norm(rows)); });
  }
  return projector_out_(at::gelu(projector_in_(merger_(merge(merger_norm_(x), patches.grid)))));
}

}  // namespace

Vlm::Parts make_lighton_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  auto text = Qwen2Config::read(config);
  text.qkv_bias = false;
  text.qk_norm = true;
  if (config.text().boolean("attention_bias", false))
    throw_unsupported_config("attention_bias true is not supported");
  const auto vision = PixtralConfig::read(config);
  return {std::make_unique<PixtralProcessor>(checkpoint, vision.patch, vision.merge),
          std::make_unique<PixtralVision>(vision, text.hidden, text.rms_eps, weights, ops),
          std::make_unique<Qwen2Decoder>(text, weights, "model.language_model.", ops),
          int32_t(config.integer("image_token_id", 151655)), RopeAxes::one};
}

}  // namespace docspec
