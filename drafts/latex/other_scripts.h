#pragma once

#include "drafts/latex/formula_items.h"

namespace docspec {

/// Letters of scripts that no variables are written in, Chinese or Arabic, are words within a
/// formula: "\\text{其他}".
void join_other_scripts(FormulaItems& items);

/// A row that is a sentence of a right-to-left script with some variables in it, as above the bar
/// of a fraction, becomes a text with formulas, in the order of reading. The items have their LaTeX
/// already.
void join_rows_from_right(FormulaItems& items);

}  // namespace docspec
