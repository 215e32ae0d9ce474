#pragma once

#include <optional>

#include "core/input/letters/byte_font.h"

namespace docspec {

/// As read_byte_font. The signs of a font of formulas that is none of TeX's old ones have the ink
/// that the font's program draws: large brackets, roots and sums hang from their line.
std::optional<ByteFont> read_inked_font(QPDFObjectHandle dictionary, bool tex_wrote);

}  // namespace docspec
