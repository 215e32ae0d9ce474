#pragma once

#include "core/model/vlm.h"

namespace docspec {

class Weights;

/// DeepSeek-OCR, and DeepSeek-OCR-2 as its own repository publishes it: both are deepseek_vl_v2.
/// Throws Error(dependency) naming the key that does not fit.
Vlm::Parts make_deepseek_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

}  // namespace docspec
