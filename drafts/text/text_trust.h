#pragma once

#include <span>

#include "core/page/draft.h"
#include "core/page/ink_map.h"

namespace docspec {

/// May a text layer be taken as the page's text (drafts.md 5)? Its words must be printable (at
/// least 95 % without U+FFFD and private-use characters), must lie on the ink that looks like text
/// (70 %), and must not be a mere stamp on a scanned page. `ink` may be nullptr: then the words
/// alone decide.
bool trust_text_layer(std::span<const Word> words, const InkMap* ink, int width_px, int height_px);

}  // namespace docspec
