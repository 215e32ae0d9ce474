#include "core/model/vision/sam_encoder.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"

namespace docspec {
namespace {

constexpr double kSamEps = 1e-6;              // no key of config.json
constexpr int64_t kScores = 4 * 1024 * 1024;  // of the attention that is there at once

/// Relative positions of all pairs of `side` rows (or columns): [side, side, head_dim]. A table
/// made for another side is stretched.
at::Tensor pairs(const at::Tensor& table, int64_t side) {
  const int64_t wanted = 2 * side - 1;
  at::Tensor rows = table;
  if (table.size(0) != wanted)
    rows = at::upsample_linear1d(table.t().unsqueeze(0), {wanted}, false).squeeze(0).t();
  const at::Tensor at = at::arange(side, at::TensorOptions(at::kLong).device(table.device()));
  const at::Tensor index = at.unsqueeze(1) - at.unsqueeze(0) + (side - 1);
  return rows.index_select(0, index.flatten()).view({side, side, -1});
}

/// Normalises the channels of each pixel of [1, channels, h, w].
at::Tensor by_pixel(const LayerNorm& norm, const at::Tensor& x) {
  return norm(x.permute({0, 2, 3, 1})).permute({0, 3, 1, 2});
}

void check(const SamConfig& config) {
  if (config.hidden % config.heads != 0 || config.side < 1 || config.channels.size() != 2)
    throw_unsupported_config(
        "the SAM encoder's hidden size, heads, sides and downsample_channels do not fit");
}

}  // namespace

SamConfig SamConfig::nested(const ConfigReader& config) {
  SamConfig out;
  out.depth = config.count("num_hidden_layers", out.depth);
  out.hidden = config.count("hidden_size", out.hidden);
  out.heads = config.count("num_attention_heads", out.heads);
  out.intermediate =
      config.count("mlp_dim", int64_t(double(out.hidden) * config.number("mlp_ratio", 4)));
  out.patch = config.count("patch_size", out.patch);
  out.side = config.count("image_size", 1024) / out.patch;
  out.window = config.count("window_size", out.window);
  out.neck = config.count("output_channels", out.neck);
  out.global_blocks = config.has("global_attn_indexes") ? config.integers("global_attn_indexes")
                                                        : std::vector<int64_t>{2, 5, 8, 11};
  out.channels = config.has("downsample_channels") ? config.integers("downsample_channels")
                                                   : std::vector<int64_t>{512, 896};
  for (const char* key : {"use_abs_pos", "use_rel_pos", "qkv_bias"})
    if (!config.boolean(key, true))
      throw_unsupported_config(fmt::format("sam_config: {} false", key));
  if (config.string("hidden_act", "gelu") != "gelu")
    throw_unsupported_config("sam_config: hidden_act is not gelu");
  check(out);
  return out;
}

SamConfig SamConfig::flat(const Checkpoint& checkpoint, const ConfigReader& vision) {
  const ConfigReader config = vision.section("width").section("sam_vit_b");
  const nlohmann::json processor = checkpoint.json("processor_config.json");
  SamConfig out;
  if (processor.is_object())
    out.patch = ConfigReader(processor, "processor_config.json").count("patch_size", out.patch);
  out.depth = config.count("layers");
  out.hidden = config.count("width");
  out.intermediate = 4 * out.hidden;
  out.heads = config.count("heads");
  out.side = vision.count("image_size", 1024) / out.patch;
  out.global_blocks = config.integers("global_attn_indexes");
  const std::string neck = "model.sam_model.neck.0.weight";  // no key says its channels
  if (checkpoint.has(neck)) out.neck = checkpoint.tensor(neck).size(0);
  if (config.has("downsample_channels")) out.channels = config.integers("downsample_channels");
  check(out);
  return out;
}

SamEncoder::SamEncoder(const SamConfig& config, Weights& weights, const std::string& prefix,
                       bool nested)
    : config_(config) {
  const int64_t d = config.hidden, p = config.patch, head = d / config.heads, n = config.neck;
  const auto name = [&](const char* ours, const char* hub) {
    return prefix + (nested ? ours : hub);
  };
  const std::string patch = name("patch_embed.projection", "patch_embed.proj");
  patch_.weight = weights.get(patch + ".weight", {d, 3, p, p});
  if (patch_.weight.defined()) patch_.weight = patch_.weight.view({d, -1});
  patch_.bias = weights.get(patch + ".bias", {d});
  positions_ = weights.get(prefix + "pos_embed", {1, config.side, config.side, d});
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}{}.{}.", prefix, nested ? "layers" : "blocks", i);
    const auto& list = config.global_blocks;
    const bool global = std::find(list.begin(), list.end(), i) != list.end();
    const int64_t table = 2 * (global ? config.side : config.window) - 1;
    blocks_.push_back({weights.layer_norm(at + (nested ? "layer_norm1" : "norm1"), d, kSamEps),
                       weights.layer_norm(at + (nested ? "layer_norm2" : "norm2"), d, kSamEps),
                       weights.image_product(at + "attn.qkv", d, 3 * d, true),
                       weights.image_product(at + "attn.proj", d, d, true),
                       weights.image_product(at + "mlp.lin1", d, config.intermediate, true),
                       weights.image_product(at + "mlp.lin2", config.intermediate, d, true),
                       weights.get(at + "attn.rel_pos_h", {table, head}),
                       weights.get(at + "attn.rel_pos_w", {table, head}), global});
  }
  neck_in_ = weights.get(name("neck.conv1.weight", "neck.0.weight"), {n, d, 1, 1});
  neck_in_norm_ = weights.layer_norm(name("neck.layer_norm1", "neck.1"), n, kSamEps);
  neck_out_ = weights.get(name("neck.conv2.weight", "neck.2.weight"), {n, n, 3, 3});
  neck_out_norm_ = weights.layer_norm(name("neck.layer_norm2", "neck.3"), n, kSamEps);
  halves_ = {weights.get(name("proj.conv1.weight", "net_2.weight"), {config.channels[0], n, 3, 3}),
             weights.get(name("proj.conv2.weight", "net_3.weight"),
                         {config.channels[1], config.channels[0], 3, 3})};
}

VisionBytes SamEncoder::bytes() const {
  const auto element = int64_t(patch_.weight.element_size());
  const int64_t view = config_.side * config_.side, pixels = patch_.weight.size(1);
  return {3 * kScores * 4 + view * (10 * config_.hidden + 2 * config_.intermediate) * element,
          pixels * (3 * 4 + element)};
}

/// Learned positions of a view of `side` patches: [1, side, side, hidden].
at::Tensor SamEncoder::positions(int64_t side) const {
  if (side == config_.side) return positions_;
  return at::_upsample_bicubic2d_aa(positions_.permute({0, 3, 1, 2}).to(at::kFloat), {side, side},
                                    false)
      .permute({0, 2, 3, 1})
      .to(positions_.scalar_type());
}

/// x: [windows, side, side, hidden]; each sees its own window. Returns the same shape.
at::Tensor SamEncoder::attend(const Block& block, const at::Tensor& x) const {
  const int64_t windows = x.size(0), side = x.size(1), n = side * side;
  const int64_t heads = windows * config_.heads, head = config_.hidden / config_.heads;
  const auto qkv = multipliable(block.qkv(x))
                       .view({windows, n, 3, config_.heads, head})
                       .permute({2, 0, 3, 1, 4})
                       .reshape({3, heads, n, head});
  const at::Tensor rows = multipliable(pairs(block.rows, side)),
                   columns = multipliable(pairs(block.columns, side));
  at::Tensor seen = at::empty({heads, n, head}, qkv.options());
  const int64_t step = std::max<int64_t>(1, kScores / (n * n));
  for (int64_t first = 0; first < heads; first += step) {
    const int64_t part = std::min(step, heads - first);
    const at::Tensor q = qkv[0].narrow(0, first, part), grid = q.view({part, side, side, head});
    at::Tensor scores =
        at::bmm(q / std::sqrt(double(head)), qkv[1].narrow(0, first, part).transpose(1, 2));
    at::Tensor by_place = scores.view({part, side, side, side, side});
    by_place += at::einsum("bhwc,hkc->bhwk", {grid, rows}).unsqueeze(4);
    by_place += at::einsum("bhwc,wkc->bhwk", {grid, columns}).unsqueeze(3);
    const at::Tensor shares = scores.softmax(2, at::kFloat).to(qkv.scalar_type());
    seen.narrow(0, first, part).copy_(at::bmm(shares, qkv[2].narrow(0, first, part)));
  }
  const at::Tensor out = seen.view({windows, config_.heads, n, head}).transpose(1, 2);
  return block.out(out.reshape(x.sizes()).to(x.scalar_type()));
}

/// `attend` for windows of x: [1, side, side, hidden]; what is missing at the right and below is 0
/// and seen.
at::Tensor SamEncoder::in_windows(const Block& block, const at::Tensor& x) const {
  const int64_t side = x.size(1), w = config_.window, count = (side + w - 1) / w;
  const int64_t missing = count * w - side, d = config_.hidden;
  const at::Tensor windows = at::constant_pad_nd(x, {0, 0, 0, missing, 0, missing})
                                 .view({count, w, count, w, d})
                                 .transpose(1, 2)
                                 .reshape({count * count, w, w, d});
  return attend(block, windows)
      .view({count, count, w, w, d})
      .transpose(1, 2)
      .reshape({1, count * w, count * w, d})
      .narrow(1, 0, side)
      .narrow(2, 0, side);
}

at::Tensor SamEncoder::operator()(const at::Tensor& patches) const {
  const auto side = int64_t(std::llround(std::sqrt(double(patches.size(0)))));
  at::Tensor x = patch_(patches.to(patch_.weight.options())).view({1, side, side, -1});
  x = x + positions(side);
  for (const Block& block : blocks_) {
    const at::Tensor normed = block.attention_norm(x);
    x = x + (block.global ? attend(block, normed) : in_windows(block, normed));
    x = x + block.fc2(at::gelu(block.fc1(block.mlp_norm(x))));
  }
  const auto convolve = [](const at::Tensor& rows, const at::Tensor& weight, int64_t step,
                           int64_t edge) {
    return at::conv2d(multipliable(rows), multipliable(weight), {}, step, edge)
        .to(rows.scalar_type());
  };
  x = by_pixel(neck_in_norm_, convolve(x.permute({0, 3, 1, 2}), neck_in_, 1, 0));
  x = by_pixel(neck_out_norm_, convolve(x, neck_out_, 1, 1));
  for (const at::Tensor& half : halves_) x = convolve(x, half, 2, 1);
  return x;
}

}  // namespace docspec
