#include "core/model/vision/vision_tower.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/image/patch_rotary.h"
#include "core/model/layers/image_rows.h"
#include "core/model/layers/tiled_attention.h"
#include "core/ops/ops.h"
#include "core/ops/transfer.h"

namespace docspec {
namespace {

constexpr std::pair<const char*, Activation> kActivations[] = {
    {"silu", Activation::silu},
    {"gelu", Activation::gelu},
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"quick_gelu", Activation::quick_gelu},
};

const char* name_of(Activation activation) {
  for (const auto& [name, known] : kActivations)
    if (known == activation) return name;
  return "";
}

}  // namespace

TowerConfig TowerConfig::read(const ConfigReader& vision, const TowerKeys& keys, TowerConfig out) {
  out.depth = vision.count(keys.depth);
  out.width = vision.count(keys.width);
  out.heads = vision.count(keys.heads);
  if (!keys.intermediate.empty()) out.intermediate = vision.count(keys.intermediate);
  out.patch = vision.count("patch_size", out.patch);
  out.merge = vision.count("spatial_merge_size", out.merge);
  out.temporal = vision.count("temporal_patch_size", out.temporal);
  out.theta = vision.rope().theta;
  if (out.width % (4 * out.heads) != 0)
    throw_unsupported_config(fmt::format("vision_config: {} {} is no multiple of 4 x {} {}",
                                         keys.width, out.width, keys.heads, out.heads));
  for (const char* key : {"num_channels", "in_channels", "in_chans"})
    if (vision.count(key, 3) != 3)
      throw_unsupported_config(fmt::format("vision_config: {}: only 3 is supported", key));
  const char* known = name_of(out.activation);
  const std::string act = vision.string("hidden_act", known);
  if (act != known)
    throw_unsupported_config(
        fmt::format("vision_config: hidden_act '{}' is not supported ({} is)", act, known));
  return out;
}

at::Tensor PatchNorm::operator()(const Ops& ops, const at::Tensor& x) const {
  if (bias.defined()) return LayerNorm{weight, bias, eps}(x);
  return normed(ops, {weight, eps}, x);
}

VisionTower::VisionTower(const TowerConfig& config, Weights& weights, const std::string& patch,
                         int64_t temporal, bool bias, const Ops& ops)
    : config_(config), ops_(ops) {
  std::vector<int64_t> shape{config.width, 3};
  if (temporal > 0) shape.push_back(temporal);
  shape.insert(shape.end(), 2, config.patch);
  patch_.weight = weights.get(patch + ".weight", shape);
  if (patch_.weight.defined()) patch_.weight = patch_.weight.view({config.width, -1});
  if (bias) patch_.bias = weights.get(patch + ".bias", {config.width});
}

void VisionTower::add(VisionBlock block) {
  if (block.qkv.size() > 1)
    join_products(ops_, std::array{&block.qkv[0], &block.qkv[1], &block.qkv[2]});
  if (block.gate.weight.defined()) join_products(ops_, std::array{&block.gate, &block.up});
  blocks_.push_back(std::move(block));
}

VisionBytes VisionTower::bytes() const {
  const auto element = int64_t(patch_.weight.element_size());
  const int64_t d = config_.width, pixels = patch_.weight.size(1);
  const int64_t mlp = config_.activation == Activation::silu
                          ? swiglu_row_bytes(config_.intermediate, element)
                          : 3 * config_.intermediate * element;
  // For each patch: rows, q, k, v, what attention gives, and copies of these while they turn.
  return {kTileRows * (24 * d + mlp),
          10 * d * element + pixels * (3 * 4 + element) + 3 * 4 * config_.head_dim()};
}

at::Tensor VisionTower::embed(const Patches& patches) const {
  return patch_(patches.values.to(patch_.weight.options()));
}

Rotary VisionTower::rotary(const PatchGrid& grid, int64_t merge) const {
  const int64_t dim = config_.head_dim();
  return ops_.rotary(patch_angles(grid, merge, config_.theta, dim, {}, patch_.weight), dim);
}

Rotary VisionTower::rotary(const at::Tensor& angles) const {
  return ops_.rotary(send_to_device(angles, patch_.weight.device()), config_.head_dim());
}

at::Tensor VisionTower::attend(const VisionBlock& block, const at::Tensor& x,
                               const Rotary& rotary) const {
  const int64_t dim = config_.head_dim();
  const auto headed = [&](const at::Tensor& rows, const RmsNorm& norm) {
    return PatchNorm(norm)(ops_, rows.reshape({-1, dim})).view({rows.size(0), -1});
  };
  return block.out(tiled_attention(ops_, x, config_.heads, rotary, [&](const at::Tensor& rows) {
    std::vector<const Linear*> layers;
    for (const Linear& layer : block.qkv) layers.push_back(&layer);
    const at::Tensor qkv = side_by_side(ops_, layers, block.attention_norm(ops_, rows));
    if (!block.q_norm.weight.defined()) return qkv;
    const auto each = qkv.split(config_.width, 1);
    return at::cat({headed(each[0], block.q_norm), headed(each[1], block.k_norm), each[2]}, 1);
  }));
}

at::Tensor VisionTower::mlp(const VisionBlock& block, const at::Tensor& x) const {
  if (config_.activation == Activation::silu)
    return gated(ops_, {block.gate, block.up, block.down}, x);
  const at::Tensor wide = block.up(x);
  switch (config_.activation) {
    case Activation::gelu_tanh:
      return block.down(at::gelu(wide, "tanh"));
    case Activation::quick_gelu:
      return block.down(wide * at::sigmoid(1.702 * wide));
    default:
      return block.down(at::gelu(wide));
  }
}

at::Tensor VisionTower::run(at::Tensor x, const Rotary& rotary,
                            const std::function<void(size_t, const at::Tensor&)>& after) const {
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const VisionBlock& block = blocks_[i];
    x = x + attend(block, x, rotary);
    x = in_tiles(x, [&](const at::Tensor& rows, int64_t) {
      return rows + mlp(block, block.mlp_norm(ops_, rows));
    });
    if (after) after(i, x);
  }
  return x;
}

}  // namespace docspec
