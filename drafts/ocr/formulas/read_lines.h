#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"
#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec {

/// A line of OCR's words with the formulas that a model read in it: each is one word, its LaTeX
/// between dollars, in the place of the words between those that both read alike. What the model is
/// not sure of, or what would leave out a word, stays as OCR read it.
std::vector<Word> with_formulas(std::span<const Word> line, std::span<const ReadPart> read);

/// Lets a model read the formulas in the lines of text of a page that has some. `image`: the page,
/// level, in the frame of the words.
std::vector<Word> read_formulas_of_lines(LazyFormulaReader& reader, const PageImage& image,
                                         std::vector<Word> words);

}  // namespace docspec
