#pragma once

#include <cstddef>
#include <span>

#include "core/page/page_glyphs.h"

namespace docspec {

/// An arrow that stands over letters, by places among the glyphs of a page.
struct OverArrow {
  size_t letters = 0;  ///< where the arrow ends and its letters begin
  size_t end = 0;      ///< where these end; 0 = there is no arrow
};

/// The arrow that begins at glyph `at`, as TeX writes "\overrightarrow": a head and the strokes
/// that lengthen it overlap on one line, then come the letters below them.
OverArrow over_arrow(std::span<const PageGlyph> glyphs, size_t at);

/// Whether a glyph stands above or below a sum, a product or the like, as a part of its limits:
/// smaller than the sign, and level with none of it.
bool is_limit_of(const PageGlyph& glyph, const PageGlyph& sign);

}  // namespace docspec
