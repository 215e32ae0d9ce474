#pragma once

#include <span>

#include "drafts/latex/formula_items.h"

namespace docspec {

/// Puts together, from the inside to the outside, what stands around or under a sign: accents,
/// roots, fractions, bars. `rules` whose order is not known (-1) part items by their places alone.
void fold_accents(FormulaItems& items);
void fold_rules(FormulaItems& items, std::span<const PageRule> rules);
void fold_braces(FormulaItems& items);
/// Limits of large signs and of "lim", and what stands on a relation.
void fold_limits(FormulaItems& items);

}  // namespace docspec
