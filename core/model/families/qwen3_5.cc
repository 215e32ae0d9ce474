// Qwen3.5 compared with Qwen3-VL (the same image processor, vision tower, prompt layout and
// positions):
//
// - No rows for deeper layers (deepstack).
// - Of four layers of the language model three are recurrent (GatedDeltaNet) and one attends; its
//   output is gated, norms are centred on zero, and a quarter of each head turns. See
//   core/model/trunk/hybrid_decoder.h and share/doc/recurrent.md.
// - `mtp.*` tensors (a further layer that predicts a token more) are passed over.
#include <ATen/core/Tensor.h>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/trunk/hybrid_decoder.h"

namespace docspec {

Vlm::Parts make_qwen3_5(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const auto text = HybridConfig::read(config);
  const auto image = ImageProcessorConfig::read(checkpoint);
  weights.pass_over("mtp.");
  auto vision = make_qwen3_vision(config, text.attention.hidden, 0, image, weights, ops);
  return {std::make_unique<ImageProcessor>(image), std::move(vision),
          std::make_unique<HybridDecoder>(text, weights, "model.language_model.", ops),
          int32_t(config.integer("image_token_id", 248056)), RopeAxes::three};
}

}  // namespace docspec
