#pragma once

#include <cstdint>
#include <string_view>

namespace docspec {

/// The letter that a glyph of a TeX font stands for, where the PDF has no map to Unicode and
/// Poppler gives its code: letters of the fonts of large symbols, of script and of blackboard
/// capitals.
struct TexLetter {
  uint32_t letter = 0;  ///< code point; 0 = as Poppler has it
  double height = 0;    ///< of the glyph below the top of its box, in font sizes; 0 = the font's
};

/// `font` without a subset's prefix; `code` as Poppler gives it.
TexLetter tex_letter(std::string_view font, uint32_t code);

/// The letter that a control code stands for in a bitmap font, which has neither a name nor a map:
/// ligatures, quotes and dashes as the encodings of TeX's fonts have them; 0 = none.
uint32_t bitmap_letter(uint32_t code);

}  // namespace docspec
