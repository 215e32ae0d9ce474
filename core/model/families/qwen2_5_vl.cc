#include <fmt/format.h>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/trunk/mtp_layer.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/vision/qwen2_5_vision.h"

namespace docspec {

Vlm::Parts make_qwen2_5_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const auto text = Qwen2Config::read(config);
  const auto vision = Qwen25VisionConfig::read(config);
  if (vision.out_hidden != text.hidden)
    throw Error(
        ExitCode::dependency,
        fmt::format("config.json: out_hidden_size {} of the vision tower is not the language "
                    "model's hidden_size {}",
                    vision.out_hidden, text.hidden));
  const auto image = ImageProcessorConfig::read(checkpoint);
  image.require(vision.patch, vision.merge, vision.temporal);
  // transformers 5 nests both towers under model.; the Hub's files have the older names.
  const bool nested = checkpoint.has("model.language_model.embed_tokens.weight");
  const std::string prefix = nested ? "model.language_model." : "model.";
  // Published files have no layer for further tokens: one is trained by
  // share/models/mini/train/further.py.
  return {
      std::make_unique<ImageProcessor>(image),
      std::make_unique<Qwen25Vision>(vision, weights, nested ? "model.visual." : "visual.", ops),
      std::make_unique<Qwen2Decoder>(text, weights, prefix, ops),
      int32_t(config.integer("image_token_id", 151655)),
      RopeAxes::three,
      make_mtp_layer(text, weights, prefix, ops)};
}

}  // namespace docspec
