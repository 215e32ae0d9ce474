#pragma once

#include <vector>

#include "core/page/page_glyphs.h"

namespace docspec {

/// The signs of a formula and the bars among them, in the order in which TeX would write them: a
/// letter and its indices, a numerator, its bar, the denominator, a sign and its limits.
struct WrittenFormula {
  std::vector<PageGlyph> glyphs;
  std::vector<PageRule> rules;  ///< those that belong to no sign come last
  double base = 0, size = 0;    ///< the line of its row, and the size of its letters
};

/// The order is found from where the parts stand, whatever order they were drawn in. The orders of
/// the result count from 0. A bracket or a large sign of a larger font takes the size of the
/// letters and keeps its own height.
WrittenFormula in_writing_order(std::vector<PageGlyph> glyphs, std::vector<PageRule> rules);

}  // namespace docspec
