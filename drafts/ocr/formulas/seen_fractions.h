#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"
#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec {

/// A fraction that stands in a line of text of a scan: its bar, and the ink above and below it.
struct SeenFraction {
  Box above, bar, below;

  Box box() const { return unite(unite(above, below), bar); }
  int middle() const { return (bar.y0 + bar.y1) / 2; }
};

/// The fractions of a page, by its ink: a bar with ink that is centred on it close above and close
/// below. `pieces`: boxes around the pieces of ink. `em`: size of the text; pixels, like all boxes.
std::vector<SeenFraction> find_fractions(std::span<const Box> pieces, double em);

/// Lets a model read the fractions that stand in lines of text, each with the signs of its formula
/// around it. OCR reads numerators and denominators as lines of their own: their words and those of
/// the formula give way to one word, its LaTeX between dollars. What the model is not sure of is
/// put together from OCR's words where these are short, or stays. `image`: the page, level, in the
/// frame of the words.
std::vector<Word> read_fractions_of_lines(LazyFormulaReader& reader, const PageImage& image,
                                          std::vector<Word> words);

}  // namespace docspec
