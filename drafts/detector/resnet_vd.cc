#include "drafts/detector/resnet_vd.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace docspec {
namespace {

ConvLayer read_backbone_conv(Weights& weights, const std::string& name, const ConvShape& shape) {
  return read_conv(weights, name + ".convolution", name + ".normalization", shape);
}

}  // namespace

ResNetVd::ResNetVd(Weights& weights, const ConfigReader& config) {
  const std::string prefix = "model.backbone.model.";
  const std::string type = config.string("layer_type", "bottleneck");
  if (type != "bottleneck" && type != "basic")
    throw_unsupported_config("backbone_config: layer_type is '" + type +
                             "'; docspec has bottleneck and basic");
  if (config.string("model_type") != "rt_detr_resnet")
    throw_unsupported_config("backbone_config: model_type is '" + config.string("model_type") +
                             "'; docspec has rt_detr_resnet");
  const bool basic = type == "basic";
  const ConvActivation activation =
      activation_of(config.string("hidden_act", "relu"), "backbone_config: hidden_act");
  const int64_t embedding = config.count("embedding_size", 64), half = embedding / 2;
  const auto stem = [&](int i, int64_t in, int64_t out, int64_t stride) {
    stem_.push_back(read_backbone_conv(weights, prefix + "embedder.embedder." + std::to_string(i),
                                       {in, out, 3, stride, activation}));
  };
  stem(0, config.count("num_channels", 3), half, 2);
  stem(1, half, half, 1);
  stem(2, half, embedding, 1);
  const std::vector<int64_t> sizes = config.integers("hidden_sizes"),
                             depths = config.integers("depths");
  const std::vector<std::string> wanted = config.strings("out_features");
  if (sizes.size() != depths.size())
    throw_unsupported_config("backbone_config: hidden_sizes and depths differ in length");
  const bool early = config.boolean("downsample_in_bottleneck", false);
  int64_t in = embedding;
  for (size_t s = 0; s < sizes.size(); ++s) {
    Stage stage;
    const int64_t out = sizes[s];
    const bool halves = s > 0 || config.boolean("downsample_in_first_stage", false);
    for (int64_t b = 0; b < depths[s]; ++b) {
      const std::string name =
          prefix + "encoder.stages." + std::to_string(s) + ".layers." + std::to_string(b) + ".";
      const int64_t stride = b == 0 && halves ? 2 : 1;
      Block block;
      block.activation = activation;
      const auto layer = [&](const ConvShape& shape) {
        block.layers.push_back(read_backbone_conv(
            weights, name + "layer." + std::to_string(block.layers.size()), shape));
      };
      if (basic) {
        layer({in, out, 3, stride, activation});
        layer({out, out, 3, 1});
      } else {
        layer({in, out / 4, 1, early ? stride : 1, activation});
        layer({out / 4, out / 4, 3, early ? 1 : stride, activation});
        layer({out / 4, out, 1, 1});
      }
      // "vd": the shortcut halves by means, and its convolution keeps the size.
      block.halved = basic ? b == 0 && in != out : stride == 2;
      if (basic ? b == 0 : in != out || stride == 2)
        block.shortcut =
            read_backbone_conv(weights, name + (block.halved ? "shortcut.1" : "shortcut"),
                               {in, out, 1, block.halved ? 1 : stride});
      stage.blocks.push_back(std::move(block));
      in = out;
    }
    stage.taken =
        std::find(wanted.begin(), wanted.end(), "stage" + std::to_string(s + 1)) != wanted.end();
    if (stage.taken) channels_.push_back(out);
    stages_.push_back(std::move(stage));
  }
}

at::Tensor ResNetVd::Block::operator()(const at::Tensor& x) const {
  at::Tensor y = x;
  for (const ConvLayer& layer : layers) y = layer(y);
  at::Tensor way = x;
  if (halved) way = at::avg_pool2d(way, 2, 2, 0, /*ceil_mode=*/true);
  if (shortcut.weight.defined()) way = shortcut(way);
  return activated(y + way, activation);
}

std::vector<at::Tensor> ResNetVd::operator()(const at::Tensor& image) const {
  at::Tensor x = image;
  for (const ConvLayer& layer : stem_) x = layer(x);
  x = at::max_pool2d(x, 3, 2, 1);
  std::vector<at::Tensor> features;
  for (const Stage& stage : stages_) {
    for (const Block& block : stage.blocks) x = block(x);
    if (stage.taken) features.push_back(x);
  }
  return features;
}

}  // namespace docspec
