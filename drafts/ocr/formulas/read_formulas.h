#pragma once

#include <vector>

#include "core/document/drafted_page.h"
#include "core/page/page_image.h"
#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec {

/// The regions that a model read.
struct FormulaReadings {
  std::vector<int> regions;  ///< ids
  bool sure = true;          ///< all of them
};

/// Writes the drafts of display formulas as a model reads them, LaTeX between two dollars; numbers
/// at the margin are OCR's. Where the model comes to no end, or is unsure of a fifth of its
/// tokens (handwriting, drawings), what stands there stays. `image`: the page, level, in the frame
/// of the drafts.
FormulaReadings read_formula_regions(LazyFormulaReader& reader, const PageImage& image,
                                     PageDrafts& page);

}  // namespace docspec
