#pragma once

#include <vector>

#include "core/model/checkpoint/config_reader.h"
#include "drafts/detector/conv_layer.h"

namespace docspec {

/// ResNet-vd, the backbone of RT-DETR. [transformers] models/rt_detr/modeling_rt_detr_resnet.py
class ResNetVd {
 public:
  /// `config`: the section backbone_config. Throws Error(dependency).
  ResNetVd(Weights& weights, const ConfigReader& config);
  /// image: [1, 3, h, w] -> the features of the stages that the detector takes, finest first.
  std::vector<at::Tensor> operator()(const at::Tensor& image) const;
  /// Channels of those features.
  const std::vector<int64_t>& channels() const { return channels_; }

 private:
  struct Block {
    std::vector<ConvLayer> layers;
    ConvLayer shortcut;   // without weight: x itself
    bool halved = false;  // the shortcut's input is
    ConvActivation activation = ConvActivation::relu;
    at::Tensor operator()(const at::Tensor& x) const;
  };
  struct Stage {
    std::vector<Block> blocks;
    bool taken = false;
  };

  std::vector<ConvLayer> stem_;
  std::vector<Stage> stages_;
  std::vector<int64_t> channels_;
};

}  // namespace docspec
