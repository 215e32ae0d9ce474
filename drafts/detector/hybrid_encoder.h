#pragma once

#include <vector>

#include "core/model/checkpoint/config_reader.h"
#include "drafts/detector/conv_layer.h"

namespace docspec {

/// The encoder of RT-DETR: attention on the coarsest features, then the levels are joined from
/// coarse to fine and back. [rt-detr]
class HybridEncoder {
 public:
  /// `channels`: of the backbone's features. Throws Error(dependency).
  HybridEncoder(Weights& weights, const ConfigReader& config, const std::vector<int64_t>& channels);
  /// [1, channels, h, w] each, finest first -> [1, width, h, w] each, in the same order.
  std::vector<at::Tensor> operator()(const std::vector<at::Tensor>& features) const;

 private:
  struct Layer {
    RowAttention attention;
    LayerNorm attention_norm, final_norm;
    Linear up, down;
  };
  struct JoinBlock {
    ConvLayer first, second, last;  // `last` may be without weight
    std::vector<std::pair<ConvLayer, ConvLayer>> branches;
    ConvActivation activation = ConvActivation::silu;
    at::Tensor operator()(const at::Tensor& x) const;
  };

  at::Tensor attend(const at::Tensor& x, const std::vector<Layer>& layers) const;
  JoinBlock read_block(Weights& weights, const std::string& name, double expansion) const;

  int64_t width_ = 0, temperature_ = 0;
  bool norm_first_ = false, positions_ = true;
  ConvActivation activation_ = ConvActivation::silu, mlp_activation_ = ConvActivation::gelu;
  std::vector<ConvLayer> inputs_, lateral_, down_;
  std::vector<std::pair<size_t, std::vector<Layer>>> attended_;  // level and its layers
  std::vector<JoinBlock> to_fine_, to_coarse_;
};

}  // namespace docspec
