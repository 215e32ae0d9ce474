// Unlimited-OCR compared with DeepSeek-OCR (core/model/families/deepseek_ocr.cc; the same SAM and
// CLIP, newlines and language model):
//
// - Up to 32 tiles of 640 pixels; the square's margins are rounded as transformers does it.
// - Reference sliding window: after the prompt, which every row sees whole, a row sees the last
//   `sliding_window` rows of its path alone (core/model/trunk/attention_views.h). The keys of rows
//   that no row sees any more stay in the cache.
// - No run of 35 tokens comes twice within the last 128 (share/families/unlimited_ocr.json).
// - A prompt may hold several pages: the rows of all images stand one after the other, without
// tiles;
//   the answer has <PAGE> before each page, and the rule looks at 1,024 tokens.
// - A block's label stands before its box, both in <|det|>
//   (core/markup/models/deepseek_grounding.h).
// - Two layouts: the Hub's (language_config, sliding_window at the top level) and transformers 5's
//   (text_config); transformers saves the tensors by the Hub's names unless it is told otherwise.
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/deepseek_ocr2.h"
#include "core/model/families/families.h"
#include "core/model/image/view_processor.h"
#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/vision/sam_clip.h"
#include "core/model/vision/sam_encoder.h"

namespace docspec {
namespace {

Qwen2Config windowed_text_config(const ConfigReader& config) {
  if (!config.has("language_config") && !config.has("text_config"))
    throw_unsupported_config("there is neither language_config nor text_config");
  Qwen2Config out = deepseek_text_config(config);
  const ConfigReader text = config.text();
  out.window = text.count("sliding_window");
  if (text.has("layer_types"))
    for (const std::string& kind : text.strings("layer_types"))
      if (kind != "reference_sliding_attention")
        throw_unsupported_config("layer_types: '" + kind +
                                 "' is not supported (reference_sliding_attention is)");
  return out;
}

}  // namespace

Vlm::Parts make_unlimited_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const ConfigReader vision = config.vision();
  const Qwen2Config text = windowed_text_config(config);
  const bool flat = vision.has("width");
  const SamConfig sam =
      flat ? SamConfig::flat(checkpoint, vision) : SamConfig::nested(vision.section("sam_config"));
  const ClipConfig clip = flat ? ClipConfig::flat(vision.section("width").section("clip-l-14-224"))
                               : ClipConfig::nested(vision.section("encoder_config"));
  ViewProcessor::Config views;
  views.patch = sam.patch;
  views.side = sam.side * sam.patch;
  views.tile = views.side * 5 / 8;
  views.most_tiles = 32;
  views.newlines = true;
  auto images = std::make_unique<ViewProcessor>(checkpoint, views);
  auto pages = std::make_unique<ViewProcessor>(checkpoint, views);
  pages->limit(0);  // the whole view alone
  const bool nested = !checkpoint.has("model.sam_model.pos_embed");
  weights.pass_over("vision_model.embeddings.patch_embedding.weight");  // published, not used
  auto seen = make_sam_clip(sam, clip, *images, text.hidden, nested, weights, ops);
  Vlm::Parts parts;
  parts.image_processor = std::move(images);
  parts.pages_processor = std::move(pages);
  parts.vision = std::move(seen);
  parts.trunk = std::make_unique<Qwen2Decoder>(text, weights,
                                               nested ? "model.language_model." : "model.", ops);
  if (config.has("image_token_id")) parts.image_token = int32_t(config.integer("image_token_id"));
  parts.axes = RopeAxes::one;
  return parts;
}

}  // namespace docspec
