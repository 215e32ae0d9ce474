#pragma once

#include <vector>

#include "drafts/ocr/ppocr/nets.h"

namespace docspec::ppocr {

/// Rows that a line's image has beyond each edge while `erase_neighbours` looks at it.
constexpr int kBeyond = kLineHeight / 4;

/// Which pixels are ink, the smaller of two classes of gray levels [Otsu 1979]; of heavy letters
/// the one that the edges above and below do not have. pixels: [3, rows, width], BGR in [-1, 1].
std::vector<unsigned char> ink_of(const std::vector<float>& pixels, int width);

/// Gives the colour of the paper to ink that reaches into a line from the line above or below: the
/// foot of a "g" over a letter reads as its accent.
/// pixels: [3, kBeyond + kLineHeight + kBeyond, width], BGR in [-1, 1].
void erase_neighbours(std::vector<float>& pixels, int width);

}  // namespace docspec::ppocr
