#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"
#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec {

/// Reads lines of the page again, given as boxes as large as the detector of lines makes them.
using ReadAgain = std::function<std::vector<Word>(std::span<const Box>)>;

/// Reads the fractions that stand in lines of text, each with the signs of its formula around it.
/// OCR reads numerators and denominators as lines of their own, or not at all: it is shown each of
/// them again. A model reads the whole formula; where it agrees with OCR, its LaTeX between dollars
/// takes the place of all these words. Else each fraction is put together from its two parts, or
/// stays. `image`: the page, level, in the frame of the words.
std::vector<Word> read_fractions_of_lines(LazyFormulaReader& reader, const ReadAgain& again,
                                          const PageImage& image, std::vector<Word> words);

}  // namespace docspec
