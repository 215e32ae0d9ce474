#pragma once

#include <string>

class QPDF;

namespace docspec {

/// A copy of page `page` (from 1), as a PDF of its own, of which Poppler reads the text right;
/// empty where it does so anyway. Six things are mended:
/// - The letters that a span stands for (`/ActualText`, PDF 32000, 14.9.4) are still written in the
///   span's font. Poppler gives them the font that is set where the span ends. macOS ends it after
///   the font is gone: then the letters ("ti", "fi") are lost, and asking for their font ends the
///   program.
/// - macOS gives the signs of TeX's fonts the letters of others ("⇤" for "×") and their right
///   names. Such maps (`/ToUnicode`) are left out: the names count then.
/// - The bitmap fonts of dvips have no map, or one without ligatures ("fi" of "find"): theirs is
///   made of TeX's codes, which are the names of the glyphs.
/// - Elsevier's fonts of TeX name ligatures after control characters, and their maps lack them.
/// - Poppler gives the letters that a page clips away, or writes without ink, among those that are
///   seen.
/// - Poppler takes text that the edge of its cell clips for one word with that of the next cell.
std::string page_for_text(QPDF& pdf, int page);

}  // namespace docspec
