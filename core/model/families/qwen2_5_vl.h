#pragma once

#include "core/model/families/registry.h"

namespace docspec {

/// Qwen2.5-VL (also olmOCR and many fine-tunes), in the Hub's layout and in transformers 5's.
Vlm::Parts make_qwen2_5_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

}  // namespace docspec
