#pragma once

#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "core/page/draft.h"
#include "core/page/region.h"

namespace docspec {

/// Writes the drafts of display formulas as LaTeX between two dollars, from the places of OCR's
/// words and the bars between them. OCR loses indices: `doubt_of_flat_formulas` says so. A formula
/// that cannot be put together keeps its lines.
void write_seen_formulas(std::vector<Draft>& drafts, std::span<const Region> regions,
                         const PageInput& page);

}  // namespace docspec
