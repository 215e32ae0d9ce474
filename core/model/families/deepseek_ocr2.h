#pragma once

#include "core/model/vlm.h"

namespace docspec {

class ConfigReader;
class Weights;
struct Qwen2Config;

/// The language model of both DeepSeek-OCRs: a trunk with experts, without biases.
Qwen2Config deepseek_text_config(const ConfigReader& config);

/// DeepSeek-OCR-2. Throws Error(dependency) naming the key that does not fit.
Vlm::Parts make_deepseek_ocr2(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

}  // namespace docspec
