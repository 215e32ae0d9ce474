#pragma once

#include <span>
#include <vector>

#include "core/page/page_glyphs.h"

namespace docspec {

/// A line that a page of Word's equations draws, in pixels, from the end that is further left.
struct DrawnLine {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  int order = 0;
  bool picture = false;  ///< within a small picture
};

/// The signs that equation editors draw with lines, not letters: the sign of a root, whose last
/// line rises to where its bar begins; within pictures the bars about a value and the slash of a
/// fraction. `font`: of the signs.
std::vector<PageGlyph> drawn_signs(std::span<const DrawnLine> lines,
                                   std::span<const PageRule> rules, int font);

}  // namespace docspec
