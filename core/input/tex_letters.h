#pragma once

#include <cstdint>
#include <string_view>

namespace docspec {

/// What a glyph of a TeX font stands for, where the PDF has no map to Unicode and Poppler gives its
/// code: letters of the fonts of large symbols, of script and of blackboard capitals.
struct TexLetter {
  uint32_t letter = 0;  ///< code point; 0 = as Poppler has it
  double height = 0;    ///< of the glyph below the top of its box, in font sizes; 0 = the font's
};

/// `font` without a subset's prefix; `code` as Poppler gives it.
TexLetter tex_letter(std::string_view font, uint32_t code);

}  // namespace docspec
