#pragma once

#include <vector>

#include "core/page/page_glyphs.h"
#include "core/page/page_image.h"

namespace docspec {

/// Boxes of the display formulas of a page, each with its number: what TeX wrote between lines of
/// words, and neither a table nor the end of a paragraph.
std::vector<Box> find_formulas(const PageGlyphs& page);

}  // namespace docspec
