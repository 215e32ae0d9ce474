#pragma once

#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// Fonts of signs may have no map to Unicode, and the reader gives U+FFFD for their letters. A minus
/// is known by its look: without it a number would change its sign in silence. Words of nothing but
/// other such letters (dingbats) are removed; within other words they stay, to be seen. The words'
/// boxes are in pixels of which one of `image` takes `scale`.
void read_unmapped_signs(std::vector<Word>& words, const PageImage& image, double scale);

}  // namespace docspec
