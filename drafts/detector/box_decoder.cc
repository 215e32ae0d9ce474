#include "drafts/detector/box_decoder.h"

#include <ATen/ATen.h>

#include <limits>

namespace docspec {
namespace {

/// Boxes at the middle of each cell of the grids, as logits, [cells, 4]; the largest number where
/// one reaches the image's edge. `valid`: [cells, 1] of 0 and 1.
at::Tensor anchors(const std::vector<std::pair<int64_t, int64_t>>& grids, at::Tensor& valid) {
  constexpr double kSide = 0.05, kEdge = 0.01;
  std::vector<at::Tensor> all;
  double side = kSide;
  for (const auto& [h, w] : grids) {
    const at::Tensor x = ((at::arange(w, at::kFloat) + 0.5) / double(w)).repeat({h}),
                     y = ((at::arange(h, at::kFloat) + 0.5) / double(h)).repeat_interleave(w);
    const at::Tensor sides = at::full({h * w}, side, at::kFloat);
    all.push_back(at::stack({x, y, sides, sides}, 1));
    side *= 2;
  }
  const at::Tensor boxes = at::cat(all);
  const at::Tensor inside = boxes.gt(kEdge).logical_and(boxes.lt(1 - kEdge)).all(1, true);
  valid = inside.to(at::kFloat);
  return at::where(inside, (boxes / (1 - boxes)).log(),
                   at::full({}, std::numeric_limits<float>::max(), at::kFloat));
}

}  // namespace

BoxDecoder::Mlp BoxDecoder::read_mlp(Weights& weights, const std::string& name,
                                     const std::vector<int64_t>& sizes) {
  Mlp mlp;
  for (size_t i = 0; i + 1 < sizes.size(); ++i)
    mlp.layers.push_back(
        weights.linear(name + ".layers." + std::to_string(i), sizes[i], sizes[i + 1], true));
  return mlp;
}

at::Tensor BoxDecoder::Mlp::operator()(at::Tensor x) const {
  for (size_t i = 0; i < layers.size(); ++i) {
    x = layers[i](x);
    if (i + 1 < layers.size()) x = at::relu(x);
  }
  return x;
}

BoxDecoder::BoxDecoder(Weights& weights, const ConfigReader& config, int64_t classes)
    : width_(config.count("d_model", 256)),
      heads_(config.count("decoder_attention_heads", 8)),
      points_(config.count("decoder_n_points", 4)),
      queries_(config.count("num_queries", 300)),
      offset_scale_(config.number("decoder_offset_scale", 0.5)),
      activation_(activation_of(config.string("decoder_activation_function", "relu"),
                                "decoder_activation_function")) {
  const std::vector<int64_t> channels = config.integers("decoder_in_channels");
  const int64_t levels = std::ssize(channels), inner = config.count("decoder_ffn_dim", 1024);
  const double eps = config.number("layer_norm_eps", 1e-5);
  if (config.integer("num_feature_levels", 3) != levels ||
      config.integer("decoder_n_levels", 3) != levels)
    throw_unsupported_config("num_feature_levels, decoder_n_levels and decoder_in_channels differ");
  if (config.string("decoder_method", "default") != "default" ||
      !config.boolean("with_box_refine", true) || config.boolean("learn_initial_query", false))
    throw_unsupported_config(
        "decoder_method, with_box_refine and learn_initial_query are not those of the published "
        "models: 'default', true and false");
  if (width_ % heads_ != 0) throw_unsupported_config("d_model is no multiple of its heads");
  for (int64_t i = 0; i < levels; ++i) {
    const std::string name = "model.decoder_input_proj." + std::to_string(i);
    inputs_.push_back(read_conv(weights, name + ".0", name + ".1", {channels[size_t(i)], width_}));
  }
  enter_ = weights.linear("model.enc_output.0", width_, width_, true);
  enter_norm_ = weights.layer_norm("model.enc_output.1", width_, eps);
  scores_ = weights.linear("model.enc_score_head", width_, classes, true);
  boxes_ = read_mlp(weights, "model.enc_bbox_head", {width_, width_, width_, 4});
  const std::string prefix = "model.decoder.";
  // The heads are the same tensors under two names, of which a file keeps one.
  const std::string heads = weights.checkpoint().has(prefix + "class_embed.0.weight") ? prefix : "";
  positions_ = read_mlp(weights, prefix + "query_pos_head", {4, 2 * width_, width_});
  for (int64_t i = 0; i < config.count("decoder_layers", 6); ++i) {
    const std::string at = std::to_string(i), name = prefix + "layers." + at,
                      looks = name + ".encoder_attn";
    const int64_t places = heads_ * levels * points_;
    Layer layer;
    layer.attention = read_attention(weights, name + ".self_attn", width_, heads_);
    layer.attention_norm = weights.layer_norm(name + ".self_attn_layer_norm", width_, eps);
    layer.offsets = weights.linear(looks + ".sampling_offsets", width_, 2 * places, true);
    layer.shares = weights.linear(looks + ".attention_weights", width_, places, true);
    layer.value = weights.linear(looks + ".value_proj", width_, width_, true);
    layer.out = weights.linear(looks + ".output_proj", width_, width_, true);
    layer.look_norm = weights.layer_norm(name + ".encoder_attn_layer_norm", width_, eps);
    layer.up = weights.linear(name + ".fc1", width_, inner, true);
    layer.down = weights.linear(name + ".fc2", inner, width_, true);
    layer.final_norm = weights.layer_norm(name + ".final_layer_norm", width_, eps);
    layer.correction = read_mlp(weights, heads + "bbox_embed." + at, {width_, width_, width_, 4});
    layer.classes = weights.linear(heads + "class_embed." + at, width_, classes, true);
    layers_.push_back(std::move(layer));
  }
}

/// Deformable attention: each head of a query takes `points_` samples of each level's features.
/// queries: [q, width], boxes: [q, 4], memory: [cells, width] -> [q, width].
at::Tensor BoxDecoder::look(const Layer& layer, const at::Tensor& queries, const at::Tensor& boxes,
                            const at::Tensor& memory,
                            const std::vector<std::pair<int64_t, int64_t>>& grids) const {
  const int64_t q = queries.size(0), levels = std::ssize(grids), depth = width_ / heads_;
  const at::Tensor values = layer.value(memory).view({-1, heads_, depth}).permute({1, 2, 0});
  const at::Tensor offsets = layer.offsets(queries).view({q, heads_, levels * points_, 2}) *
                             (offset_scale_ / double(points_));
  const at::Tensor shares =
      layer.shares(queries).view({q, heads_, levels * points_}).softmax(-1).transpose(0, 1);
  const at::Tensor middle = boxes.slice(1, 0, 2).view({q, 1, 1, 2}),
                   sides = boxes.slice(1, 2).view({q, 1, 1, 2});
  // [heads, q, levels * points, 2], from -1 to 1
  const at::Tensor places = ((middle + offsets * sides) * 2 - 1).transpose(0, 1);
  std::vector<at::Tensor> seen;
  int64_t first = 0;
  for (int64_t i = 0; i < levels; ++i) {
    const auto [h, w] = grids[size_t(i)];
    const at::Tensor level = values.slice(2, first, first + h * w).reshape({heads_, depth, h, w});
    seen.push_back(at::grid_sampler(level, places.slice(2, i * points_, (i + 1) * points_),
                                    /*interpolation_mode=*/0, /*padding_mode=*/0,
                                    /*align_corners=*/false));
    first += h * w;
  }
  const at::Tensor joined = (at::cat(seen, -1) * shares.unsqueeze(1)).sum(-1);  // [heads, depth, q]
  return layer.out(joined.reshape({width_, q}).t());
}

BoxDecoder::Output BoxDecoder::operator()(const std::vector<at::Tensor>& features) const {
  constexpr double kLeast = 1e-5;  // of a share and of what it leaves
  std::vector<at::Tensor> rows;
  std::vector<std::pair<int64_t, int64_t>> grids;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const at::Tensor x = inputs_[i](features[i]);
    grids.emplace_back(x.size(2), x.size(3));
    rows.push_back(x[0].flatten(1).t());
  }
  const at::Tensor memory = at::cat(rows).contiguous();
  at::Tensor valid;
  const at::Tensor start = anchors(grids, valid);
  const at::Tensor entered = enter_norm_(enter_(memory * valid));
  const at::Tensor best = std::get<0>(scores_(entered).max(1));
  const at::Tensor chosen = std::get<1>(best.topk(std::min<int64_t>(queries_, best.size(0)), 0));
  at::Tensor x = entered.index_select(0, chosen);
  at::Tensor boxes =
      (boxes_(entered.index_select(0, chosen)) + start.index_select(0, chosen)).sigmoid();
  at::Tensor logits;
  for (const Layer& layer : layers_) {
    const at::Tensor positions = positions_(boxes);
    x = layer.attention_norm(x + layer.attention(x, positions));
    x = layer.look_norm(x + look(layer, x + positions, boxes, memory, grids));
    x = layer.final_norm(x + layer.down(activated(layer.up(x), activation_)));
    boxes = (layer.correction(x) + at::logit(boxes, kLeast)).sigmoid();
    logits = layer.classes(x);
  }
  return {logits, boxes};
}

}  // namespace docspec
