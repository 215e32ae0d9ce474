#pragma once

#include <utility>
#include <vector>

#include "core/page/page_glyphs.h"

namespace docspec {

/// For each glyph the line that it stands on, and its size: fonts of formulas may be a little
/// larger or smaller than those of the text beside them, and stand a little higher.
std::vector<std::pair<size_t, size_t>> lines_and_sizes(const std::vector<PageGlyph>& glyphs);

}  // namespace docspec
