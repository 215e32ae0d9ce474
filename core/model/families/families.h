#pragma once

#include "core/model/vlm.h"

namespace docspec {

class Checkpoint;
class ConfigReader;
class Weights;

// The makers that registry.cc lists (MakeFamily), each in the file of its family. They throw
// Error(dependency) naming the key of config.json that is missing or does not fit.
Vlm::Parts make_deepseek_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_deepseek_ocr2(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_dots_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_glm_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_hunyuan_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_lighton_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_llava_onevision(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_paddleocr_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_qwen2_5_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_qwen2_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_qwen3_5(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_qwen3_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);
Vlm::Parts make_unlimited_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

/// The vision tower of Qwen3-VL and Qwen3.5, with or without rows for deeper layers. text_hidden,
/// layers: of the language model, which takes the rows. `ops` must outlive it. Throws as the
/// makers.
std::unique_ptr<VisionEncoder> make_qwen3_vision(const ConfigReader& config, int64_t text_hidden,
                                                 int64_t layers, const ImageProcessorConfig& image,
                                                 Weights& weights, const Ops& ops);

}  // namespace docspec
