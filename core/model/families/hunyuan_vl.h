#pragma once

#include "core/model/vlm.h"

namespace docspec {

class Weights;

/// HunyuanOCR. Throws Error(dependency) naming the key that does not fit.
Vlm::Parts make_hunyuan_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

}  // namespace docspec
