#pragma once

#include "core/model/vlm.h"

namespace docspec {

class Checkpoint;
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
Vlm::Parts make_qwen3_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

}  // namespace docspec
