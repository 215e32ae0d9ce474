#pragma once

#include <vector>

#include "core/page/draft.h"
#include "core/page/page_glyphs.h"
#include "core/page/page_image.h"

namespace docspec {

/// The characters of a page that OCR read as the glyphs of a page that TeX set, by the place and
/// size of their ink: indices are smaller and stand lower or higher than their line, a letter that
/// stands alone is a variable. With the bars of fractions and roots. Empty for pages without signs
/// of formulas. The words' boxes are pixels of `image`; their `line` is known.
PageGlyphs seen_glyphs(const std::vector<Word>& words, const PageImage& image);

/// Whether words have so many signs of formulas, such as "=" and "∈", that letters that stand alone
/// among them are variables.
bool has_inline_formulas(const std::vector<Word>& words);

}  // namespace docspec
