#pragma once

#include <memory>

#include "drafts/detector/page_net.h"

namespace at {
class Tensor;
}

namespace docspec {

class Checkpoint;

/// RT-DETRv2 with the backbone ResNet-vd, as Hugging Face publishes it: config.json,
/// preprocessor_config.json, model.safetensors. [transformers] models/rt_detr_v2
class RtDetr : public PageNet {
 public:
  /// Throws Error(dependency) that names file and key.
  explicit RtDetr(const Checkpoint& checkpoint);
  ~RtDetr() override;

  std::vector<FoundRegion> find(const PageImage& image) const override;

  /// pixels: [3, h, w] f32 as the net takes them -> logits [queries, classes], boxes [queries, 4]
  /// as shares of the image: middle, width, height.
  std::pair<at::Tensor, at::Tensor> run(const at::Tensor& pixels) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace docspec
