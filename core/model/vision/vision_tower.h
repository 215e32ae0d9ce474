#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/model/vlm.h"
#include "core/ops/layers.h"

namespace docspec {

class ConfigReader;
class Ops;
class Weights;

/// silu stands for a gated product: down(silu(gate) * up).
enum class Activation { silu, gelu, gelu_tanh, quick_gelu };

/// The names that a family's vision_config has for the sizes of its tower.
struct TowerKeys {
  std::string depth = "num_hidden_layers", width = "hidden_size", heads = "num_attention_heads";
  std::string intermediate = "intermediate_size";  ///< "" = the family computes it
};
/// Qwen's names.
inline const TowerKeys kQwenTowerKeys{"depth", "hidden_size", "num_heads", "intermediate_size"};

/// The sizes of a vision tower whose patches all attend each other and turn by row and column.
struct TowerConfig {
  int64_t depth = 0, width = 0, intermediate = 0, heads = 0;
  int64_t patch = 14, merge = 2, temporal = 1;
  double theta = 10000;
  Activation activation = Activation::silu;

  int64_t head_dim() const { return width / heads; }
  /// Whatever the file lacks of patch, merge, temporal and activation stays as in `out`. Throws
  /// Error(dependency) naming the key that is missing, not supported or does not fit the others.
  static TowerConfig read(const ConfigReader& vision, const TowerKeys& keys, TowerConfig out);
};

/// An RMSNorm where there is no bias, else a LayerNorm.
struct PatchNorm {
  PatchNorm() = default;
  PatchNorm(RmsNorm norm) : weight(norm.weight), eps(norm.eps) {}
  PatchNorm(LayerNorm norm) : weight(norm.weight), bias(norm.bias), eps(norm.eps) {}
  at::Tensor operator()(const Ops& ops, const at::Tensor& x) const;

  at::Tensor weight, bias;  // [width]
  double eps = 1e-6;
};

/// x + out(attention(norm(x))), then x + down(activation(up(norm(x)))).
struct VisionBlock {
  PatchNorm attention_norm, mlp_norm;
  std::vector<Linear> qkv;  ///< one product for all three, or three
  Linear out;
  Linear gate = {}, up, down;  ///< without gate unless the activation is silu
  RmsNorm q_norm = {},
          k_norm = {};  ///< over each head before it turns; without weight where there is none
};

/// Shared by the vision towers of several families: patches to rows, and blocks over them. Families
/// name the weights and do what comes before and after the blocks.
class VisionTower {
 public:
  /// Reads `patch`.weight, a convolution over `temporal` frames where that is above 0, and, if
  /// asked for, `patch`.bias. `ops` must outlive it.
  VisionTower(const TowerConfig& config, Weights& weights, const std::string& patch,
              int64_t temporal, bool bias, const Ops& ops);

  /// The next block of the tower.
  void add(VisionBlock block);

  const TowerConfig& config() const { return config_; }
  const Linear& patch() const { return patch_; }  ///< weight [width, numbers of a patch]
  /// [patches, numbers of a patch] -> [patches, width].
  at::Tensor embed(const Patches& patches) const;
  /// Angles of the patches of an image in merge blocks of this side; 1 = raster order.
  Rotary rotary(const PatchGrid& grid, int64_t merge) const;
  /// Of angles of a family's own: [patches, head_dim / 2] f32, on the host.
  Rotary rotary(const at::Tensor& angles) const;
  /// x: [patches, width], in the order of `rotary`; returns the same. `after`(block, x) is called
  /// after each block; may be empty.
  at::Tensor run(at::Tensor x, const Rotary& rotary,
                 const std::function<void(size_t, const at::Tensor&)>& after = {}) const;
  /// Memory of the patches and blocks.
  VisionBytes bytes() const;

 private:
  at::Tensor attend(const VisionBlock& block, const at::Tensor& x, const Rotary& rotary) const;
  at::Tensor mlp(const VisionBlock& block, const at::Tensor& x) const;

  std::vector<VisionBlock> blocks_;
  TowerConfig config_;
  const Ops& ops_;
  Linear patch_;
};

}  // namespace docspec
