#pragma once

#include <cstdint>
#include <string_view>

namespace docspec {

/// The sign of a code in the fonts of Word's equations: Word and PowerPoint give the letters of
/// Symbol codes of Unicode's private area, U+F000 and the letter's own code ("U+F0A3" is "≤"), and
/// MT Extra has the accents, dots and letters that Symbol lacks under the codes of Latin ones. The
/// pieces of tall brackets have codes of Adobe's in fonts of any name. 0 = a letter as it reads.
uint32_t symbol_sign(std::string_view font, uint32_t letter);

/// Whether a font has the signs of Word's equations, whose letters are those of Times.
bool is_equation_font(std::string_view font);

}  // namespace docspec
