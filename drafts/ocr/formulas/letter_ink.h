#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// One character of OCR and the ink that it was read from.
struct LetterInk {
  uint32_t letter = 0;
  size_t word = 0;   ///< index into the words
  Box ink;           ///< pixels of the page
  bool own = false;  ///< no other character shares the ink
};

/// Finds the ink of each character of a line: pieces of ink and characters go together from left to
/// right, by the places where the characters were read and their usual widths. Pieces that touch
/// are shared by several characters; a character without a piece gets a part of its word's box.
/// `words`: of one line, with their `places`, from left to right. `pieces`: of the page. `em`:
/// pixels.
std::vector<LetterInk> letter_inks(std::span<const Word> words, std::span<const Box> pieces,
                                   double em);

}  // namespace docspec
