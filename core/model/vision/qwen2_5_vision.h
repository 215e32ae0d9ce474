#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/vlm.h"
#include "core/ops/layers.h"

namespace docspec {

class ConfigReader;
class Ops;
class Weights;

struct Qwen25VisionConfig {
  int64_t depth = 0, hidden = 0, intermediate = 0, heads = 0, out_hidden = 0;
  int64_t patch = 14, merge = 2, temporal = 2, channels = 3;
  int64_t window = 112;                 ///< side of an attention window in pixels
  std::vector<int64_t> full_attention;  ///< blocks that see the whole image
  double rope_theta = 10000;

  /// Throws Error(dependency) naming the key that is missing or does not fit the others.
  static Qwen25VisionConfig read(const ConfigReader& config);
};

/// Qwen2.5-VL's vision tower: patch embedding, blocks with windowed or full attention and 2-D
/// rotary positions, and the merger of 2 x 2 patches into one visual row of the language model.
class Qwen25Vision : public VisionEncoder {
 public:
  /// Reads `prefix`patch_embed, `prefix`blocks.N, `prefix`merger. `ops` must outlive it.
  Qwen25Vision(const Qwen25VisionConfig& config, Weights& weights, const std::string& prefix,
               const Ops& ops);

  at::Tensor encode(const Patches& patches) const override;
  VisionBytes bytes() const override;

 private:
  struct Block {
    RmsNorm attention_norm, mlp_norm;
    Linear qkv, proj;
    SwiGlu mlp;
  };
  /// Windows of one size lie together: rows [first, first + windows * length).
  struct WindowGroup {
    int64_t first, windows, length;
  };
  struct Windows {
    std::vector<int64_t> order;  // merge blocks of the image in the order of their windows
    std::vector<WindowGroup> groups;
  };

  Windows windows(const PatchGrid& grid) const;
  at::Tensor attend(const Block& block, const at::Tensor& x, const Rotary& rotary,
                    std::span<const WindowGroup> groups) const;

  Qwen25VisionConfig config_;
  const Ops& ops_;
  at::Tensor patch_weight_;  // [hidden, channels * temporal * patch * patch]
  std::vector<Block> blocks_;
  RmsNorm merger_norm_;
  Linear merger_in_, merger_out_;
};

}  // namespace docspec
