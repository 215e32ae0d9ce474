#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/input/letters/tex_fonts.h"

class QPDFObjectHandle;

namespace docspec {

/// A font of a PDF whose codes are of one byte.
struct ByteFont {
  std::string name;                    ///< without a subset's prefix
  std::array<double, 256> widths{};    ///< in font sizes
  std::array<TexGlyph, 256> glyphs{};  ///< letter 0 = not known
};

/// The font of a font dictionary; nothing where its codes are longer or it has no widths. A glyph
/// is found by its name where the file gives one, else by its code in the font's own encoding,
/// which a file that TeX wrote has kept.
std::optional<ByteFont> read_byte_font(QPDFObjectHandle dictionary, bool tex_wrote);

/// The names that an encoding gives to codes by its own (/Differences), in their order; the codes
/// are those of the file, whatever they are. Empty for other objects.
std::vector<std::pair<long long, std::string>> named_codes(QPDFObjectHandle encoding);

/// The value of a key in a dictionary; null where it lacks it or is another object.
QPDFObjectHandle entry(QPDFObjectHandle dictionary, const std::string& key);

/// The first mebibyte of a stream; empty for another object.
std::string bytes_of(QPDFObjectHandle stream);

/// The name of a font, without a subset's prefix; empty where it has none.
std::string base_font_name(QPDFObjectHandle dictionary);

}  // namespace docspec
