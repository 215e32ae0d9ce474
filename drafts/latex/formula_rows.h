#pragma once

#include "drafts/latex/formula_items.h"

namespace docspec {

/// LaTeX of items whose bars are folded: limits, indices, cases, matrices, rows below each other.
/// Throws UnreadableFormula for what it does not know.
std::string read_items(FormulaItems items);

/// The same of what stands under or over a large sign, where rows are a \substack.
std::string read_limit(FormulaItems items);

/// Items by the lines that they stand on, from above to below.
std::vector<FormulaItems> rows_of(FormulaItems items);

}  // namespace docspec
