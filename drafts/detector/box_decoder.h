#pragma once

#include <vector>

#include "core/model/checkpoint/config_reader.h"
#include "drafts/detector/conv_layer.h"

namespace docspec {

/// The decoder of RT-DETRv2: the best places of the features become queries, and each layer looks
/// at points around a query's box and corrects it. [rt-detrv2]
class BoxDecoder {
 public:
  BoxDecoder(Weights& weights, const ConfigReader& config, int64_t classes);

  struct Output {
    at::Tensor logits;  ///< [queries, classes]
    at::Tensor boxes;   ///< [queries, 4]: middle, width and height as shares of the image
  };
  /// features: [1, channels, h, w] each, finest first.
  Output operator()(const std::vector<at::Tensor>& features) const;

 private:
  struct Mlp {
    std::vector<Linear> layers;
    at::Tensor operator()(at::Tensor x) const;
  };
  struct Layer {
    RowAttention attention;
    Linear offsets, shares, value, out, up, down, classes;
    LayerNorm attention_norm, look_norm, final_norm;
    Mlp correction;
  };
  static Mlp read_mlp(Weights& weights, const std::string& name, const std::vector<int64_t>& sizes);
  at::Tensor look(const Layer& layer, const at::Tensor& queries, const at::Tensor& boxes,
                  const at::Tensor& memory,
                  const std::vector<std::pair<int64_t, int64_t>>& grids) const;

  int64_t width_ = 0, heads_ = 0, points_ = 0, queries_ = 0;
  double offset_scale_ = 0.5;
  ConvActivation activation_ = ConvActivation::relu;
  std::vector<ConvLayer> inputs_;
  Linear enter_, scores_;
  LayerNorm enter_norm_;
  Mlp boxes_, positions_;
  std::vector<Layer> layers_;
};

}  // namespace docspec
