#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/page/draft.h"

namespace docspec {

/// LaTeX of a display formula, without dollars, from the places and sizes of its words and the bars
/// between them (boxes of one frame): fractions, roots, indices, limits, rows. Nothing when a sign
/// has no LaTeX or a part has no place in what is known.
std::optional<std::string> formula_latex(std::span<const Word> words, std::span<const Box> bars,
                                         double dpi);

}  // namespace docspec
