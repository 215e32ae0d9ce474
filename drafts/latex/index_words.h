#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Word processors and old typesetters set a variable with an index in the fonts of the text, and
/// it comes as words of two sizes. Returns the words with each such pair made a formula, where
/// words of a text stand on the same line: "C" and a lowered "max" as "$C_{max}$", with what is
/// raised beside it. The variable is the last letter of its word and stands alone, as in "(p";
/// digits, which Unicode can lower, and indices of longer words ("CO" and "x") stay as they are.
/// Empty where the page has none.
std::vector<Word> words_with_indices(std::span<const Word> words);

}  // namespace docspec
