#pragma once

#include "core/page/page_glyphs.h"

namespace docspec {

/// Puts the formulas of Word's equation editors into the order in which TeX would write them, each
/// in its place within the page's content. An editor draws the signs of a formula font by font,
/// often from right to left; the words around it are drawn in their order.
/// False where the page has none; then it stays as it was.
bool order_equations(PageGlyphs& page);

}  // namespace docspec
