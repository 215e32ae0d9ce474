// Qwen3.5 compared with Qwen3-VL (the same image processor, vision tower, prompt layout and
// positions):
//
// - No rows for deeper layers (deepstack).
// - Of four layers of the language model three are recurrent (GatedDeltaNet) and one attends; its
//   output is gated, norms are centred on zero, and a quarter of each head turns. See
//   core/model/trunk/hybrid_decoder.h and share/doc/recurrent.md.
// - Published files have one more layer, which predicts further tokens
//   (core/model/trunk/hybrid_mtp_layer.h).
#include <ATen/core/Tensor.h>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/trunk/hybrid_mtp_layer.h"

namespace docspec {

Vlm::Parts make_qwen3_5(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const auto text = HybridConfig::read(config);
  const auto image = ImageProcessorConfig::read(checkpoint);
  auto vision = make_qwen3_vision(config, text.attention.hidden, 0, image, weights, ops);
  const std::string prefix = "model.language_model.";
  auto trunk = std::make_unique<HybridDecoder>(text, weights, prefix, ops);
  return {std::make_unique<ImageProcessor>(image),
          std::move(vision),
          std::move(trunk),
          int32_t(config.integer("image_token_id", 248056)),
          RopeAxes::three,
          make_hybrid_mtp_layer(text, weights, prefix, ops)};
}

}  // namespace docspec
