#pragma once

#include <vector>

#include "core/page/draft.h"
#include "core/page/page_glyphs.h"
#include "core/page/page_image.h"

namespace docspec {

/// Poppler asks a font's map for its letters, and gives U+FFFD where there is none. In words of
/// fonts of formulas puts in its place what the page's glyphs say, which know the names in a font
/// and the codes of TeX: a lone epsilon would be taken for a dingbat.
void name_unmapped_letters(std::vector<Word>& words, const PageGlyphs& page);

/// A font may lack a map to Unicode, and the reader gives U+FFFD for its letters. A minus before a
/// number is known by its look: without it the number would change its sign in silence; so is a
/// bullet's dot. Letters that are blank, and other words of nothing but such letters (dingbats),
/// are removed. Within other words U+FFFD stays, to be seen, and so do all where they are many, for
/// the text layer is wrong then. The words' boxes are in pixels of which one of `image` takes
/// `scale`.
void read_unmapped_signs(std::vector<Word>& words, const PageImage& image, double scale);

}  // namespace docspec
