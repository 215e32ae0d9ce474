#pragma once

#include <string>

#include "core/page/draft.h"
#include "drafts/ocr/formulas/read_formulas.h"

namespace docspec {

/// What is said of formulas that became lines.
constexpr const char* kFlatFormulas =
    "formulas of several rows were read as lines of text; only a model can read them";

/// What is said of formulas that the small model read with doubts.
constexpr const char* kUnsureFormulas =
    "docspec's own small model read formulas and is not sure of them; a larger model may read them "
    "right";

/// Says, or nothing, that OCR read formulas of several rows as lines of text: sums and roots
/// without words, fractions, whose halves stand as lines of their own or in one tall line, and
/// sides of an equation that are missing, as matrices are. Else, whether formulas with indices were
/// put together from OCR's letters.
/// Those that a model read (`by_model`) are only doubted where it was not sure of them.
std::string doubt_of_flat_formulas(const PageDrafts& page, const FormulaReadings& by_model = {});

}  // namespace docspec
