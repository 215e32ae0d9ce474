#pragma once

#include "core/page/page_glyphs.h"

class QPDF;

namespace docspec {

/// The letters and bars that the content of a page (from 1) draws, with boxes in pixels at `dpi`.
/// Only upright ones, of fonts with a name and codes of a byte, or of two that are glyphs' numbers;
/// what a figure of its own draws is left out. Empty for pages that are turned, for files that
/// cannot be read this way, and where neither TeX wrote the file (`tex_wrote`) nor the page uses a
/// font in which TeX or Word sets formulas.
PageGlyphs read_pdf_glyphs(QPDF& pdf, int page, double dpi, bool tex_wrote);

}  // namespace docspec
