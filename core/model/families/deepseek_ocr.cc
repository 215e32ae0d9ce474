// DeepSeek-OCR compared with DeepSeek-OCR-2 (core/model/families/deepseek_ocr2.cc; the same SAM
// encoder, views, language model and prompts):
//
// - Tiles of 640 pixels, 2 to 9 of them; the square's margins are rounded as Pillow does it.
// - Instead of the Qwen2-like encoder a CLIP tower: SAM's rows in place of its patches, a class row
//   before them, learned positions stretched to the view, LayerNorm first, blocks with q, k, v in
//   one product and gelu (quick). Its rows without the first and SAM's, side by side, make the
//   visual rows by one product.
// - The tiles are put together to one raster; each row of it, and of the square's, ends with
//   image_newline.
// - config.json says the language model's sizes twice, at its top level and in language_config.
//   transformers has no such family: the published code is the reference (deepseek-ai/DeepSeek-OCR
//   modeling_deepseekocr.py, deepencoder.py).
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

Vlm::Parts make_deepseek_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops) {
  const ConfigReader config(checkpoint.config());
  const ConfigReader vision = config.vision(), width = vision.section("width");
  if (width.has("qwen2-0-5b")) return make_deepseek_ocr2(checkpoint, weights, ops);
  const Qwen2Config text = deepseek_text_config(config);
  const SamConfig sam = SamConfig::flat(checkpoint, vision);
  const auto clip = ClipConfig::flat(width.section("clip-l-14-224"));
  ViewProcessor::Config views;
  views.patch = sam.patch;
  views.side = sam.side * sam.patch;
  views.tile = views.side * 5 / 8;
  views.most_tiles = 9;
  views.newlines = views.pillow = true;
  auto images = std::make_unique<ViewProcessor>(checkpoint, views);
  weights.get("model.vision_model.embeddings.patch_embedding.weight",
              {clip.hidden, 3, clip.patch, clip.patch});  // stored, not used
  auto seen = make_sam_clip(sam, clip, *images, text.hidden, false, weights, ops);
  return {std::move(images), std::move(seen),
          std::make_unique<Qwen2Decoder>(text, weights, "model.", ops), std::nullopt,
          RopeAxes::one};
}

}  // namespace docspec
