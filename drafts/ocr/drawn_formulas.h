#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"
#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec {

/// A formula that is drawn as shapes among the words of a text layer.
struct DrawnFormula {
  Box ink;
  std::string seen;  ///< as OCR reads it; may be empty
};

/// Whether a text has Chinese characters, but for those that look like signs of formulas.
bool is_chinese(std::string_view text);

/// Lets a model read drawn formulas: LaTeX without dollars for each, empty where the model is
/// unsure of a fifth of its tokens, and where OCR read Chinese. The words' own ink is hidden from
/// the model. Empty where there is no model. `image`: the page, upright, in the frame of the words.
std::vector<ReadFormula> read_drawn_formulas(LazyFormulaReader& reader, const PageImage& image,
                                             std::span<const Word> words,
                                             std::span<const DrawnFormula> formulas);

}  // namespace docspec
