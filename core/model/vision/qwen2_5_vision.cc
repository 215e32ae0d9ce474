#include "core/model/vision/qwen2_5_vision.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/image/patch_rotary.h"
#include "core/model/layers/image_rows.h"
#include "core/ops/ops.h"
#include "core/ops/transfer.h"

namespace docspec {
namespace {

at::Tensor index_tensor(std::span<const int64_t> index, const at::Tensor& like) {
  return send_to_device(at::tensor(at::ArrayRef<int64_t>(index.data(), index.size()), at::kLong),
                        like.device());
}

}  // namespace

Qwen25VisionConfig Qwen25VisionConfig::read(const ConfigReader& config) {
  const ConfigReader vision = config.vision();
  Qwen25VisionConfig out;
  out.depth = vision.count("depth");
  out.hidden = vision.count("hidden_size");
  out.intermediate = vision.count("intermediate_size");
  out.heads = vision.count("num_heads");
  out.out_hidden = vision.count("out_hidden_size");
  out.patch = vision.count("patch_size", out.patch);
  out.merge = vision.count("spatial_merge_size", out.merge);
  out.temporal = vision.count("temporal_patch_size", out.temporal);
  out.channels = vision.count("in_channels", vision.count("in_chans", out.channels));
  out.window = vision.count("window_size", out.window);
  out.full_attention = vision.integers("fullatt_block_indexes");
  out.rope_theta = vision.rope().theta;
  if (out.hidden % (4 * out.heads) != 0)
    throw_unsupported_config(fmt::format(
        "vision_config: hidden_size {} is no multiple of 4 x num_heads {}", out.hidden, out.heads));
  if (out.window < out.patch * out.merge)
    throw_unsupported_config(fmt::format(
        "vision_config: window_size {} is below patch_size x spatial_merge_size", out.window));
  const std::string act = vision.string("hidden_act", "silu");
  if (act != "silu")
    throw_unsupported_config("vision_config: hidden_act '" + act + "' is not supported (silu is)");
  if (out.channels != 3)
    throw_unsupported_config("vision_config: only images of 3 channels are supported");
  return out;
}

Qwen25Vision::Qwen25Vision(const Qwen25VisionConfig& config, Weights& weights,
                           const std::string& prefix, const Ops& ops)
    : config_(config), ops_(ops) {
  const int64_t d = config.hidden, merged = d * config.merge * config.merge;
  const int64_t p = config.patch;
  patch_weight_ =
      weights.get(prefix + "patch_embed.proj.weight", {d, config.channels, config.temporal, p, p});
  if (patch_weight_.defined()) patch_weight_ = patch_weight_.view({d, -1});
  for (int64_t i = 0; i < config.depth; ++i) {
    const std::string at = fmt::format("{}blocks.{}.", prefix, i);
    blocks_.push_back(
        {weights.norm(at + "norm1", d, 1e-6),
         weights.norm(at + "norm2", d, 1e-6),
         weights.image_product(at + "attn.qkv", d, 3 * d, true),
         weights.image_product(at + "attn.proj", d, d, true),
         {weights.image_product(at + "mlp.gate_proj", d, config.intermediate, true),
          weights.image_product(at + "mlp.up_proj", d, config.intermediate, true),
          weights.image_product(at + "mlp.down_proj", config.intermediate, d, true)}});
    SwiGlu& mlp = blocks_.back().mlp;
    join_products(ops, std::array{&mlp.gate, &mlp.up});
  }
  merger_norm_ = weights.norm(prefix + "merger.ln_q", d, 1e-6);
  merger_in_ = weights.image_product(prefix + "merger.mlp.0", merged, merged, true);
  merger_out_ = weights.image_product(prefix + "merger.mlp.2", merged, config.out_hidden, true);
}

/// Windows at the right and bottom edge are smaller. Attention does not care in which order windows
/// come, so those of one size are put together and go through it as one batch.
Qwen25Vision::Windows Qwen25Vision::windows(const PatchGrid& grid) const {
  const int64_t side = config_.window / config_.merge / config_.patch;
  const int64_t rows = grid.h / config_.merge, columns = grid.w / config_.merge;
  const int64_t unit = config_.merge * config_.merge;
  std::map<int64_t, std::vector<std::vector<int64_t>>> by_length;
  for (int64_t y = 0; y < rows; y += side)
    for (int64_t x = 0; x < columns; x += side) {
      std::vector<int64_t> window;
      for (int64_t i = y; i < std::min(y + side, rows); ++i)
        for (int64_t j = x; j < std::min(x + side, columns); ++j) window.push_back(i * columns + j);
      by_length[int64_t(window.size())].push_back(std::move(window));
    }
  Windows out;
  for (const auto& [length, windows] : by_length) {
    out.groups.push_back(
        {int64_t(out.order.size()) * unit, int64_t(windows.size()), length * unit});
    for (const auto& window : windows)
      out.order.insert(out.order.end(), window.begin(), window.end());
  }
  return out;
}

at::Tensor Qwen25Vision::attend(const Block& block, const at::Tensor& x, const Rotary& rotary,
                                std::span<const WindowGroup> groups) const {
  const int64_t rows = x.size(0), head_dim = config_.hidden / config_.heads;
  at::Tensor qkv = block.qkv(x).view({rows, 3, config_.heads, head_dim});
  at::Tensor q = qkv.select(1, 0), k = qkv.select(1, 1);
  const at::Tensor v = qkv.select(1, 2);
  if (ops_.fuses_vision(x)) {
    ops_.turn_heads(qkv, rotary);
  } else {
    q = rotate_rounded(q, rotary);
    k = rotate_rounded(k, rotary);
  }
  std::vector<at::Tensor> out;
  for (const WindowGroup& group : groups) {
    const auto windows = [&](const at::Tensor& t) {  // -> [windows, heads, length, head_dim]
      return t.narrow(0, group.first, group.windows * group.length)
          .view({group.windows, group.length, config_.heads, head_dim})
          .transpose(1, 2);
    };
    out.push_back(ops_.full_attention(windows(q), windows(k), windows(v))
                      .transpose(1, 2)
                      .reshape({group.windows * group.length, config_.hidden}));
  }
  return block.proj(out.size() == 1 ? out[0] : at::cat(out));
}

VisionBytes Qwen25Vision::bytes() const {
  const auto element = int64_t(patch_weight_.element_size());
  const int64_t d = config_.hidden, pixels = patch_weight_.size(1);
  const int64_t rotating = 5 * 4 * d;  // f32 halves, products and their sum
  return {kTileRows * (24 * d + swiglu_row_bytes(config_.intermediate, element)),
          10 * d * element + rotating + pixels * (3 * 4 + element)};
}

at::Tensor Qwen25Vision::encode(const Patches& patches) const {
  const PatchGrid& grid = patches.grid;
  const Windows windows = this->windows(grid);
  const int64_t head_dim = config_.hidden / config_.heads;
  const Rotary rotary = ops_.rotary(
      patch_angles(grid, config_.merge, config_.rope_theta, head_dim, windows.order, patch_weight_),
      head_dim);
  const at::Tensor order = index_tensor(windows.order, patch_weight_);
  const WindowGroup whole{0, 1, grid.patches()};

  const int64_t unit = config_.merge * config_.merge;
  at::Tensor x = Linear{patch_weight_, {}, {}, {}}(patches.values.to(patch_weight_.options()));
  x = x.view({-1, unit * config_.hidden}).index_select(0, order).view({-1, config_.hidden});
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    const bool full =
        std::count(config_.full_attention.begin(), config_.full_attention.end(), int64_t(i)) > 0;
    x = x + attend(block, normed(ops_, block.attention_norm, x), rotary,
                   full ? std::span(&whole, 1) : std::span<const WindowGroup>(windows.groups));
    x = in_tiles(x, [&](const at::Tensor& rows, int64_t) {
      return rows + gated(ops_, block.mlp, normed(ops_, block.mlp_norm, rows));
    });
  }
  const at::Tensor merged = merger_norm_(x).view({-1, unit * config_.hidden});
  const at::Tensor rows = merger_out_(at::gelu(merger_in_(merged)));
  return at::empty_like(rows).index_copy_(0, order, rows);
}

}  // namespace docspec
