#pragma once

#include "drafts/latex/formula_items.h"

namespace docspec {

/// Puts together what tall brackets hold in several rows: cases, matrices, \binom. Throws
/// UnreadableFormula where rows have no columns in common.
void fold_brackets(FormulaItems& items);

}  // namespace docspec
