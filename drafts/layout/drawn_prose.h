#pragma once

#include <span>
#include <vector>

#include "core/document/drafter.h"

namespace docspec {

/// Pictures on a page with a text layer that look like running text: their ink lies in rows of one
/// height with white between them, most of them as wide as half the picture. Where nothing stands
/// at its side, a picture may be a part of what is drawn up to the regions above and below, as the
/// denser lines of a listing are: then all of that is found. Pixels of the frame; needs
/// PageInput::image. `regions`: as detected from the layer, which has pictures there.
std::vector<Box> find_drawn_prose(const PageInput& page, const std::vector<Region>& regions);

/// Pictures on a page with a text layer that look like text in light letters on dark paper, as
/// screenshots have it: rows of one height, which may end where they like. Pixels of the frame;
/// needs PageInput::image.
std::vector<Box> find_dark_prose(const PageInput& page, const std::vector<Region>& regions);

/// Whether what OCR read in such a picture is running text. Labels of a drawing are not.
bool is_drawn_prose(const Box& picture, std::span<const Word> words);

/// How many pieces of ink in a picture look like letters beside letters: a bound from below, which
/// blurred and touching ones are not in. Needs PageInput::image.
size_t count_letter_pieces(const PageInput& page, const Box& picture);

}  // namespace docspec
