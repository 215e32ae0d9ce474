#pragma once

#include "core/model/families/registry.h"

namespace docspec {

/// dots.ocr and dots.mocr, in the Hub's layout ([dots.ocr]).
Vlm::Parts make_dots_ocr(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

}  // namespace docspec
