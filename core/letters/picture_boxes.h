#pragma once

#include <span>

#include "core/document/document.h"
#include "core/letters/words/page_words.h"
#include "core/page/page_image.h"

namespace docspec {

/// Makes the model's pictures no larger than what they show. `words`: those of a text layer that
/// can be trusted; `image`: the page with them.
///
/// Words of other blocks are not a picture's: its box becomes that of the ink and the words that
/// are left, where it had such words. A picture of nothing but words of other blocks goes, as does
/// one in the place of another. One of words that no block has becomes a block of text without
/// text.
void trim_pictures(const PageImage& image, std::span<const PageWord> words, Page& page);

/// Whether the markup says where a block stands, rather than the page as its box.
bool has_own_box(const Block& block, const Page& page);

}  // namespace docspec
