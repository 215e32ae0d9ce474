#pragma once

#include "core/document/drafted_page.h"
#include "core/page/page_image.h"
#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec {

/// Whether a reader has formulas to read: regions of display formulas.
bool has_formula_regions(const PageDrafts& page);

/// Writes the drafts of display formulas as a model reads them, LaTeX between two dollars; numbers
/// at the margin are OCR's. Where the model comes to no end, what stands there stays. `image`: the
/// page, level, in the frame of the drafts.
void read_formula_regions(const FormulaReader& reader, const PageImage& image, PageDrafts& page);

}  // namespace docspec
