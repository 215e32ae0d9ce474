#include "drafts/detector/hybrid_encoder.h"

#include <ATen/ATen.h>

namespace docspec {
namespace {

/// Sines and cosines of a grid's rows and columns: [h * w, width] f32.
at::Tensor grid_positions(int64_t h, int64_t w, int64_t width, double temperature) {
  const int64_t n = width / 4;
  const at::Tensor step =
      at::pow(temperature, -at::arange(n, at::kDouble) / double(n)).view({1, n});
  const auto angles = [&](int64_t count) {
    return at::arange(count, at::kDouble).view({-1, 1}) * step;
  };
  const at::Tensor rows = angles(h).repeat_interleave(w, 0), columns = angles(w).repeat({h, 1});
  return at::cat({rows.sin(), rows.cos(), columns.sin(), columns.cos()}, 1).to(at::kFloat);
}

ConvLayer read_encoder_conv(Weights& weights, const std::string& name, const ConvShape& shape) {
  return read_conv(weights, name + ".conv", name + ".norm", shape);
}

}  // namespace

HybridEncoder::HybridEncoder(Weights& weights, const ConfigReader& config,
                             const std::vector<int64_t>& channels)
    : width_(config.count("encoder_hidden_dim", 256)),
      temperature_(config.count("positional_encoding_temperature", 10000)),
      norm_first_(config.boolean("normalize_before", false)),
      positions_(!config.has("eval_size")),
      activation_(
          activation_of(config.string("activation_function", "silu"), "activation_function")),
      mlp_activation_(activation_of(config.string("encoder_activation_function", "gelu"),
                                    "encoder_activation_function")) {
  const int64_t heads = config.count("encoder_attention_heads", 8),
                inner = config.count("encoder_ffn_dim", 1024);
  const double eps = config.number("layer_norm_eps", 1e-5);
  if (width_ % 4 != 0 || width_ % heads != 0)
    throw_unsupported_config("encoder_hidden_dim is no multiple of 4 and of its heads");
  for (size_t i = 0; i < channels.size(); ++i) {
    const std::string name = "model.encoder_input_proj." + std::to_string(i);
    inputs_.push_back(read_conv(weights, name + ".0", name + ".1", {channels[i], width_}));
  }
  const std::string prefix = "model.encoder.";
  const std::vector<int64_t> levels = config.has("encode_proj_layers")
                                          ? config.integers("encode_proj_layers")
                                          : std::vector<int64_t>{2};
  for (size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] < 0 || levels[i] >= std::ssize(channels))
      throw_unsupported_config("encode_proj_layers names a level that the backbone lacks");
    std::vector<Layer> layers;
    for (int64_t l = 0; l < config.integer("encoder_layers", 1); ++l) {
      const std::string name =
          prefix + "encoder." + std::to_string(i) + ".layers." + std::to_string(l);
      Layer layer;
      layer.attention = read_attention(weights, name + ".self_attn", width_, heads);
      layer.attention_norm = weights.layer_norm(name + ".self_attn_layer_norm", width_, eps);
      layer.up = weights.linear(name + ".fc1", width_, inner, true);
      layer.down = weights.linear(name + ".fc2", inner, width_, true);
      layer.final_norm = weights.layer_norm(name + ".final_layer_norm", width_, eps);
      layers.push_back(std::move(layer));
    }
    attended_.emplace_back(size_t(levels[i]), std::move(layers));
  }
  const double expansion = config.number("hidden_expansion", 1);
  for (size_t i = 0; i + 1 < channels.size(); ++i) {
    const std::string at = std::to_string(i);
    lateral_.push_back(read_encoder_conv(weights, prefix + "lateral_convs." + at,
                                         {width_, width_, 1, 1, activation_}));
    to_fine_.push_back(read_block(weights, prefix + "fpn_blocks." + at, expansion));
    down_.push_back(read_encoder_conv(weights, prefix + "downsample_convs." + at,
                                      {width_, width_, 3, 2, activation_}));
    to_coarse_.push_back(read_block(weights, prefix + "pan_blocks." + at, expansion));
  }
}

HybridEncoder::JoinBlock HybridEncoder::read_block(Weights& weights, const std::string& name,
                                                   double expansion) const {
  constexpr int kBranches = 3;
  const auto hidden = int64_t(double(width_) * expansion);
  const auto conv = [&](const std::string& part, const ConvShape& shape) {
    return read_encoder_conv(weights, name + part, shape);
  };
  JoinBlock block;
  block.activation = activation_;
  block.first = conv(".conv1", {2 * width_, hidden, 1, 1, activation_});
  block.second = conv(".conv2", {2 * width_, hidden, 1, 1, activation_});
  for (int i = 0; i < kBranches; ++i) {
    const std::string part = ".bottlenecks." + std::to_string(i);
    block.branches.emplace_back(conv(part + ".conv1", {hidden, hidden, 3, 1}),
                                conv(part + ".conv2", {hidden, hidden, 1, 1}));
  }
  if (hidden != width_) block.last = conv(".conv3", {hidden, width_, 1, 1, activation_});
  return block;
}

at::Tensor HybridEncoder::JoinBlock::operator()(const at::Tensor& x) const {
  at::Tensor y = first(x);
  for (const auto& [wide, narrow] : branches) y = activated(wide(y) + narrow(y), activation);
  y = y + second(x);
  return last.weight.defined() ? last(y) : y;
}

at::Tensor HybridEncoder::attend(const at::Tensor& x, const std::vector<Layer>& layers) const {
  const int64_t h = x.size(2), w = x.size(3);
  at::Tensor rows = x[0].flatten(1).t().contiguous(), positions;
  if (positions_) positions = grid_positions(h, w, width_, double(temperature_));
  for (const Layer& layer : layers) {
    const auto normed = [&](const at::Tensor& y, const LayerNorm& norm, bool here) {
      return here ? norm(y) : y;
    };
    // Where the norms come first, the second residual is of normed rows: so the reference has it.
    at::Tensor y =
        rows + layer.attention(normed(rows, layer.attention_norm, norm_first_), positions);
    y = norm_first_ ? layer.final_norm(y) : layer.attention_norm(y);
    y = y + layer.down(activated(layer.up(y), mlp_activation_));
    rows = normed(y, layer.final_norm, !norm_first_);
  }
  return rows.t().reshape({1, width_, h, w}).contiguous(at::MemoryFormat::ChannelsLast);
}

std::vector<at::Tensor> HybridEncoder::operator()(const std::vector<at::Tensor>& features) const {
  std::vector<at::Tensor> levels;
  for (size_t i = 0; i < inputs_.size(); ++i) levels.push_back(inputs_[i](features[i]));
  for (const auto& [level, layers] : attended_)
    if (!layers.empty()) levels[level] = attend(levels[level], layers);
  std::vector<at::Tensor> fine = {levels.back()};
  for (size_t i = 0; i < lateral_.size(); ++i) {
    fine.back() = lateral_[i](fine.back());
    const at::Tensor& next = levels[levels.size() - 2 - i];
    const at::Tensor grown = at::upsample_nearest2d(fine.back(), {next.size(2), next.size(3)});
    fine.push_back(to_fine_[i](at::cat({grown, next}, 1)));
  }
  std::vector<at::Tensor> out = {fine.back()};
  for (size_t i = 0; i < down_.size(); ++i)
    out.push_back(to_coarse_[i](at::cat({down_[i](out.back()), fine[fine.size() - 2 - i]}, 1)));
  return out;
}

}  // namespace docspec
