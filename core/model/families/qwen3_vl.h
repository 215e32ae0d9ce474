#pragma once

#include "core/model/families/registry.h"

namespace docspec {

/// Qwen3-VL, in the Hub's layout and in transformers 5's.
Vlm::Parts make_qwen3_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

}  // namespace docspec
