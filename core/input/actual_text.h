#pragma once

#include <string>

class QPDF;

namespace docspec {

/// A copy of page `page` (from 1), as a PDF of its own, in which the letters that a span stands for
/// (`/ActualText`, PDF 32000, 14.9.4) are still written in the span's font. Poppler gives them the
/// font that is set where the span ends. macOS ends it after the font is gone: then the letters
/// ("ti", "fi") are lost, and asking for their font ends the program. Empty where no span does so.
std::string page_with_fonts_of_spans(QPDF& pdf, int page);

}  // namespace docspec
