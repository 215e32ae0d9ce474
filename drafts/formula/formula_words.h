#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_glyphs.h"
#include "drafts/formula/inline_formulas.h"

namespace docspec {

/// The words of a text layer with one word for each formula, its LaTeX between dollars, in place of
/// the words that hold its glyphs; what else these hold stays beside it. A formula whose words do
/// not show its glyphs is left as it was. All boxes are of one frame.
std::vector<Word> words_with_formulas(const std::vector<Word>& words, const PageGlyphs& page,
                                      const std::vector<InlineFormula>& formulas);

/// The boxes of the signs of formulas in `areas`, whose words are no higher than a line of text.
std::vector<Box> ink_of(const std::vector<InlineFormula>& formulas, const PageGlyphs& page,
                        std::span<const Box> areas);

}  // namespace docspec
