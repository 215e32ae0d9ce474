#pragma once

#include <vector>

#include "core/page/draft.h"
#include "core/page/ink_pieces.h"
#include "core/page/page_image.h"

namespace docspec {

/// Whether ink is round and as large as a bullet beside letters of the size `em`, pixels.
bool is_dot(const InkPieces::Blob& piece, double em);

/// Browsers draw the bullets of their lists, and forms their boxes to tick, as paths that no text
/// layer has. Adds a word for each that stands left of one: "•" where two or more stand in line
/// above each other, or the next row begins where the word does, and where the same small picture
/// stands before three lines; "☐", or "☒" where something is in the box. The words' boxes are in
/// pixels of which one of `image` takes `scale`.
void add_drawn_marks(std::vector<Word>& words, const PageImage& image, double scale);

}  // namespace docspec
