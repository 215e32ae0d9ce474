#pragma once

class QPDF;

namespace docspec {

/// Gives the fonts of TeX that a page (from 1) has as bitmaps their names, sizes and letters: the
/// page gets fonts without glyphs in their place, and its text their codes and sizes. It no longer
/// shows as it did; its text is read from it. A page is looked at once. Returns whether it was
/// changed. Throws what QPDF throws for files that cannot be parsed.
bool name_bitmap_fonts(QPDF& pdf, int page);

}  // namespace docspec
