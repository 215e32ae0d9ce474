// DeepSeek-OCR-2 compared with LLaVA-OneVision (its nearest relative: tiles and the whole image,
// 1-D positions, a Qwen2-like trunk):
//
// - An image larger than a tile of 768 pixels is stretched to 2 to 6 of them; the whole image lies
//   in a gray square of 1024 pixels (core/model/image/view_processor.h).
// - SAM reads each view by itself and shrinks its sides by 64 (core/model/vision/sam_encoder.h).
//   Its rows and as many learned queries (one set for tiles, one for the square) go through a
//   Qwen2-like encoder: the rows see all rows, a query all rows and the queries before it. Queries
//   alone are kept; one product makes visual rows of them.
// - The tiles' rows come first, then the square's, then a separator; no newlines.
// - The language model has experts after its first layer (core/model/trunk/moe.h), no biases.
// - Two layouts: transformers 5's (deepseek_ocr2, nested; tensors by its own names or the Hub's)
//   and the Hub's (deepseek_vl_v2, whose config.json leaves the encoder's sizes to the published
//   code: they are read from the tensors here).
// - The prompt is text alone; grounding tags with boxes (core/markup/models/deepseek_grounding.h).
#include "core/model/families/deepseek_ocr2.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <limits>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/image/view_processor.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/vision/sam_encoder.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

struct EncoderConfig {
  int64_t depth = 24, hidden = 896, intermediate = 4864, heads = 14, kv_heads = 2;
  double eps = 1e-6, rope_theta = 1e6;

  int64_t head_dim() const { return hidden / heads; }
  static EncoderConfig nested(const ConfigReader& config);
  static EncoderConfig stored(const Checkpoint& checkpoint, const std::string& layers,
                              int64_t hidden);
};

EncoderConfig EncoderConfig::nested(const ConfigReader& config) {
  EncoderConfig out;
  out.depth = config.count("num_hidden_layers");
  out.hidden = config.count("hidden_size");
  out.intermediate = config.count("intermediate_size");
  out.heads = config.count("num_attention_heads");
  out.kv_heads = config.count("num_key_value_heads", out.heads);
  out.eps = config.number("rms_norm_eps", out.eps);
  out.rope_theta = config.rope().theta;
  if (out.hidden % (2 * out.heads) != 0 || out.heads % out.kv_heads != 0)
    throw_unsupported_config(
        "encoder_config: hidden_size, heads and num_key_value_heads do not fit");
  if (config.string("hidden_act", "silu") != "silu")
    throw_unsupported_config("encoder_config: hidden_act");
  if (config.boolean("use_sliding_window", false))
    throw_unsupported_config("encoder_config: use_sliding_window");
  return out;
}

/// Sizes of the tensors that are there; of the published model for those that are not.
EncoderConfig EncoderConfig::stored(const Checkpoint& checkpoint, const std::string& layers,
                                    int64_t hidden) {
  constexpr int64_t kHead = 64;
  EncoderConfig out;
  out.hidden = hidden;
  out.heads = hidden / kHead;
  if (hidden % kHead != 0)
    throw_unsupported_config("the encoder's width is no multiple of a head's 64");
  const auto rows = [&](const char* name, int64_t fallback) {
    const std::string full = layers + "0." + name;
    return checkpoint.has(full) ? checkpoint.tensor(full).size(0) : fallback;
  };
  out.intermediate = rows("mlp.gate_proj.weight", out.intermediate);
  out.kv_heads = rows("self_attn.k_proj.weight", out.kv_heads * kHead) / kHead;
  int64_t depth = 0;
  while (checkpoint.has(fmt::format("{}{}.input_layernorm.weight", layers, depth))) ++depth;
  if (depth > 0) out.depth = depth;
  if (out.kv_heads < 1 || out.heads % out.kv_heads != 0)
    throw_unsupported_config("the encoder's heads do not fit");
  return out;
}

class DeepseekVision : public VisionEncoder {
 public:
  struct Names {
    std::string sam, layers, norm, tile_queries, queries, projector, separator;
    bool nested = false;
  };
  /// `images`, which lays out what it reads, must outlive it.
  DeepseekVision(const SamConfig& sam, const EncoderConfig& config, const ViewProcessor& images,
                 int64_t width, Weights& weights, const Names& names);
  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override;

 private:
  struct Block {
    RmsNorm attention_norm, mlp_norm;
    Linear q, k, v, out;
    SwiGlu mlp;
  };
  at::Tensor attend(const Block& block, const at::Tensor& x, const Rotary& rotary,
                    const at::Tensor& mask) const;
  at::Tensor view(const at::Tensor& patches, const at::Tensor& queries) const;

  EncoderConfig config_;
  const ViewProcessor& images_;
  SamEncoder sam_;
  std::vector<Block> blocks_;
  RmsNorm norm_;
  at::Tensor tile_queries_, queries_;  // [visual rows of a view, hidden]
  Linear projector_;
  at::Tensor separator_;  // [width]
};

DeepseekVision::DeepseekVision(const SamConfig& sam, const EncoderConfig& config,
                               const ViewProcessor& images, int64_t width, Weights& weights,
                               const Names& names)
    : config_(config), images_(images), sam_(sam, weights, names.sam, names.nested) {
  const int64_t d = config.hidden, kv = config.kv_heads * config.head_dim();
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}{}.", names.layers, i);
    const auto mlp = [&](const char* name, int64_t in, int64_t out) {
      return weights.image_product(at + "mlp." + name, in, out);
    };
    blocks_.push_back(
        {weights.norm(at + "input_layernorm", d, config.eps),
         weights.norm(at + "post_attention_layernorm", d, config.eps),
         weights.image_product(at + "self_attn.q_proj", d, d, true),
         weights.image_product(at + "self_attn.k_proj", d, kv, true),
         weights.image_product(at + "self_attn.v_proj", d, kv, true),
         weights.image_product(at + "self_attn.o_proj", d, d),
         {mlp("gate_proj", d, config.intermediate), mlp("up_proj", d, config.intermediate),
          mlp("down_proj", config.intermediate, d)}});
  }
  norm_ = weights.norm(names.norm, d, config.eps);
  const auto square = [](int64_t n) { return n * n; };
  const int64_t tile = square(images.tokens_of(images.views().tile));
  const int64_t whole = square(images.tokens_of(images.views().side));
  tile_queries_ = weights.get(names.tile_queries + ".weight", {tile, d});
  queries_ = weights.get(names.queries + ".weight", {whole, d});
  projector_ = weights.image_product(names.projector, d, width, true);
  separator_ = weights.get(names.separator, {width});
}

VisionBytes DeepseekVision::bytes() const {
  const VisionBytes sam = sam_.bytes();
  const int64_t rows = queries_.size(0) * 2, d = config_.hidden;
  const int64_t encoder = rows * (12 * d + 5 * config_.intermediate + config_.heads * rows) * 4;
  return {sam.fixed + encoder, sam.per_patch};
}

at::Tensor DeepseekVision::attend(const Block& block, const at::Tensor& x, const Rotary& rotary,
                                  const at::Tensor& mask) const {
  const int64_t rows = x.size(0);
  const at::Tensor normed = block.attention_norm(x);
  const auto heads = [&](const Linear& layer, bool turned) {  // -> [1, heads, rows, head_dim]
    at::Tensor out = layer(normed).view({rows, -1, config_.head_dim()});
    if (turned) out = rotate_rounded(out, rotary);
    return out.repeat_interleave(config_.heads / out.size(1), 1).transpose(0, 1).unsqueeze(0);
  };
  const at::Tensor seen = at::scaled_dot_product_attention(
      multipliable(heads(block.q, true)), multipliable(heads(block.k, true)),
      multipliable(heads(block.v, false)), mask.defined() ? multipliable(mask) : mask);
  return block.out(seen.squeeze(0).transpose(0, 1).reshape(x.sizes()).to(x.scalar_type()));
}

/// One view's patches -> its visual rows: [queries, width].
at::Tensor DeepseekVision::view(const at::Tensor& patches, const at::Tensor& queries) const {
  const at::Tensor seen = sam_(patches).flatten(2).squeeze(0).t();
  at::Tensor x = at::cat({seen, queries});
  const int64_t rows = x.size(0), first = seen.size(0);
  const auto frequencies = rotary_frequencies(config_.rope_theta, config_.head_dim());
  std::vector<float> angles;
  for (int64_t row = 0; row < rows; ++row)
    for (const float f : frequencies) angles.push_back(float(row) * f);
  const Rotary rotary = make_rotary(angles, rows, x);
  at::Tensor mask = at::full({rows, rows}, -std::numeric_limits<double>::infinity(), x.options());
  mask.triu_(1).narrow(0, 0, first).narrow(1, 0, first).zero_();
  for (const Block& block : blocks_) {
    x = x + attend(block, x, rotary, mask);
    x = x + block.mlp(block.mlp_norm(x));
  }
  return projector_(norm_(x.narrow(0, first, queries.size(0))));
}

at::Tensor DeepseekVision::encode(const Patches& patches) const {
  const ViewProcessor::Config& at = images_.views();
  const ViewProcessor::Tiles tiles = images_.tiles(patches.width_px, patches.height_px);
  const int64_t tile = at.tile / at.patch * (at.tile / at.patch);
  const int64_t count = tiles.rows * tiles.columns;
  std::vector<at::Tensor> out;
  for (int64_t i = 0; i < count; ++i)
    out.push_back(view(patches.values.narrow(0, i * tile, tile), tile_queries_));
  out.push_back(view(patches.values.slice(0, count * tile), queries_));
  out.push_back(separator_.unsqueeze(0));
  return at::cat(out);
}

}  // namespace

Qwen2Config deepseek_text_config(const ConfigReader& config) {
  const ConfigReader text = config.text();
  auto out = Qwen2Config::read(config);
  out.moe = MoeConfig::read(text);
  out.qkv_bias = false;
  for (const char* key : {"use_mla", "attention_bias", "mlp_bias"})
    if (text.boolean(key, false))
      throw_unsupported_config(fmt::format("{} true is not supported", key));
  return out;
}

namespace {

/// The Hub's config.json does not say it.
std::optional<int32_t> image_token(const ConfigReader& config) {
  if (!config.has("image_token_id")) return std::nullopt;
  return int32_t(config.integer("image_token_id"));
}

}  // namespace

Vlm::Parts make_deepseek_ocr2(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const ConfigReader vision = config.vision();
  const bool flat = vision.has("width");
  const Qwen2Config text = deepseek_text_config(config);
  // transformers 5 saves the tensors by the Hub's names unless it is told otherwise.
  const bool nested = !checkpoint.has("model.sam_model.pos_embed");
  const std::string tower = "model.vision_tower.", hub = "model.qwen2_model.";
  DeepseekVision::Names names{
      "model.sam_model.", hub + "model.model.layers.", hub + "model.model.norm", hub + "query_768",
      hub + "query_1024", "model.projector.layers",    "model.view_seperator",   false};
  if (nested)
    names = {tower + "sam_encoder.",          tower + "vision_encoder.layers.",
             tower + "vision_encoder.norm",   tower + "query_768_resolution",
             tower + "query_1024_resolution", "model.multi_modal_projector",
             "model.view_separator",          true};
  SamConfig sam;
  EncoderConfig encoder;
  if (flat) {
    sam = SamConfig::flat(checkpoint, vision);
    const int64_t hidden = vision.section("width").section("qwen2-0-5b").count("dim");
    sam.channels.back() = hidden;
    encoder = EncoderConfig::stored(checkpoint, names.layers, hidden);
  } else {
    sam = SamConfig::nested(vision.section("sam_config"));
    encoder = EncoderConfig::nested(vision.section("encoder_config"));
  }
  if (sam.channels.back() != encoder.hidden)
    throw_unsupported_config("downsample_channels and the encoder's width");
  ViewProcessor::Config views;
  views.patch = sam.patch;
  views.side = sam.side * sam.patch;
  views.tile = views.side * 3 / 4;
  auto images = std::make_unique<ViewProcessor>(checkpoint, views);
  auto seen = std::make_unique<DeepseekVision>(sam, encoder, *images, text.hidden, weights, names);
  return {std::move(images), std::move(seen),
          std::make_unique<Qwen2Decoder>(text, weights, nested ? "model.language_model." : "model.",
                                         ops),
          image_token(config), RopeAxes::one};
}

}  // namespace docspec
