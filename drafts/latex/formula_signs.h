#pragma once

#include "drafts/latex/formula_items.h"

namespace docspec {

/// Puts together what a font makes of several glyphs: tall brackets, long arrows, dots, negated
/// relations, words. Then all items have LaTeX but accents, roots and
/// braces on their side. Throws UnreadableFormula for
/// a sign without LaTeX.
void join_signs(FormulaItems& items);

}  // namespace docspec
