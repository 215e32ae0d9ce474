#pragma once

#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// A font may lack a map to Unicode, and the reader gives U+FFFD for its letters. A minus before a
/// number is known by its look: without it the number would change its sign in silence; so is a
/// bullet's dot. Letters that are blank, and other words of nothing but such letters (dingbats),
/// are removed. Within other words U+FFFD stays, to be seen, and so do all where they are many, for
/// the text layer is wrong then. The words' boxes are in pixels of which one of `image` takes
/// `scale`.
void read_unmapped_signs(std::vector<Word>& words, const PageImage& image, double scale);

}  // namespace docspec
