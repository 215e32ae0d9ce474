#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_glyphs.h"
#include "core/page/region.h"

namespace docspec {

/// Writes the drafts of display formulas as LaTeX between two dollars, from the glyphs and bars of
/// `seen_glyphs`. A formula that cannot be put together keeps its lines.
void write_seen_formulas(std::vector<Draft>& drafts, std::span<const Region> regions,
                         const PageGlyphs& page);

}  // namespace docspec
