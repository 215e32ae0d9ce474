#pragma once

#include <optional>
#include <string_view>

namespace docspec {

/// The code that a glyph's name has in the encoding of the TeX font: "summationdisplay" is 0x58 in
/// CMEX10. Nothing where the font is none of Computer Modern or the AMS, or has no such glyph.
std::optional<unsigned> tex_code(std::string_view font, std::string_view name);

/// How a PDF numbers a font's glyphs where its own encoding is not used (ISO 32000-1, annex D).
enum class BaseEncoding { own, windows, mac };

/// The name of the glyph at a code; empty for a code that TeX's fonts have no glyph for, and where
/// the font's own encoding is used.
std::string_view glyph_name(BaseEncoding encoding, unsigned code);

}  // namespace docspec
