#pragma once

#include "core/model/families/registry.h"

namespace docspec {

/// LightOnOCR-1 and -2 ([lighton-ocr]).
Vlm::Parts make_lighton_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

}  // namespace docspec
