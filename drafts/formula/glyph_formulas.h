#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "drafts/formula/glyph_lines.h"

namespace docspec {

/// The display formulas of a page: what TeX wrote between lines of words, and neither a table nor
/// the end of a paragraph.
std::vector<PageFormula> read_formulas(const GlyphLines& lines);

}  // namespace docspec
