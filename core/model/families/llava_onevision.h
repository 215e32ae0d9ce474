#pragma once

#include "core/model/families/registry.h"

namespace docspec {

/// LLaVA-OneVision with SigLIP and Qwen2, in the Hub's layout and in transformers 5's.
Vlm::Parts make_llava_onevision(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

}  // namespace docspec
