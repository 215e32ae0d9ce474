#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/memory_plan.h"
#include "core/ops/layers.h"

namespace docspec {

class Checkpoint;
class ConfigReader;
class Weights;

struct SamConfig {
  int64_t depth = 12, hidden = 768, intermediate = 3072, heads = 12, patch = 16;
  int64_t side = 64;    ///< of the grid of learned positions, in patches
  int64_t window = 14;  ///< of blocks that see no more than that, in patches
  int64_t neck = 256;   ///< channels after the neck
  std::vector<int64_t> global_blocks;
  std::vector<int64_t> channels = {512, 1024};  ///< after each halving of the sides

  /// transformers 5's `sam_config`.
  static SamConfig nested(const ConfigReader& config);
  /// The Hub's `vision_config`, which leaves most of it to the published code.
  static SamConfig flat(const Checkpoint& checkpoint, const ConfigReader& vision);
};

/// SAM's ViT as DeepSeek-OCR uses it: blocks that see windows of patches and a few that see all,
/// relative positions added to the scores, then convolutions that shrink each side by four.
/// ([sam]; decomposed relative positions: [mvitv2].)
class SamEncoder {
 public:
  /// The tensors' names: the Hub's, or those of transformers 5.
  SamEncoder(const SamConfig& config, Weights& weights, const std::string& prefix, bool nested);

  /// patches: [side * side, 3 * patch * patch] in raster order, as ImageProcessor gives them;
  /// returns [1, channels, ceil(side / 4), ceil(side / 4)].
  at::Tensor operator()(const at::Tensor& patches) const;
  const SamConfig& config() const { return config_; }
  VisionBytes bytes() const;

 private:
  struct Block {
    LayerNorm attention_norm, mlp_norm;
    Linear qkv, out, fc1, fc2;
    at::Tensor rows, columns;  // relative positions: [2 * side - 1, head_dim]
    bool global = false;
  };
  at::Tensor attend(const Block& block, const at::Tensor& x) const;
  at::Tensor in_windows(const Block& block, const at::Tensor& x) const;
  at::Tensor positions(int64_t side) const;

  SamConfig config_;
  Linear patch_;          // weight [hidden, 3 * patch * patch]
  at::Tensor positions_;  // [1, side, side, hidden]
  std::vector<Block> blocks_;
  at::Tensor neck_in_, neck_out_;  // 1 x 1 and 3 x 3, without bias
  LayerNorm neck_in_norm_, neck_out_norm_;
  std::vector<at::Tensor> halves_;  // 3 x 3, stride 2, without bias
};

}  // namespace docspec
