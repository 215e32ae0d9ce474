#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "core/page/page_glyphs.h"

namespace docspec {

/// The display formulas of a page: what TeX wrote between lines of words, and neither a table nor
/// the end of a paragraph.
std::vector<PageFormula> read_formulas(const PageGlyphs& page);

}  // namespace docspec
