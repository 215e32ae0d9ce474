#pragma once

#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/formula/glyph_lines.h"

namespace docspec {

/// The display formulas of a page: what TeX wrote between lines of words, and neither a table nor
/// the end of a paragraph. What stands in the boxes of ruled `tables` is of none.
std::vector<PageFormula> read_formulas(const GlyphLines& lines, std::span<const Box> tables = {});

}  // namespace docspec
