#pragma once

#include "drafts/formula/formula_items.h"

namespace docspec {

/// LaTeX of items without bars: limits, indices, rows of cases, lines below each other. Throws
/// UnreadableFormula for what it does not know (matrices).
std::string read_items(FormulaItems items);

}  // namespace docspec
