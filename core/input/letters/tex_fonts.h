#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace docspec {

/// A glyph of a TeX font.
struct TexGlyph {
  uint32_t letter = 0;  ///< code point; accents are combining ones
  double above = 0.7;   ///< its ink over the line that it stands on, in font sizes
  double below = 0.2;   ///< and under it
};

/// Halves of signs that TeX puts together, in Unicode's private area: what an arrow begins with.
constexpr uint32_t kMapsBar = 0xE000, kLeftHook = 0xE001, kRightHook = 0xE002;

/// The glyph that a code stands for in the font's own encoding; nothing where the font is none of
/// Computer Modern, Latin Modern, AMS, Pazo, or PostScript's Symbol, or has no such glyph. `font`
/// without a subset's prefix.
std::optional<TexGlyph> tex_glyph(std::string_view font, unsigned code);

/// The letter of a glyph's name where the name is one that TeX's text fonts have and a code does
/// not tell: "Gamma", "ffi", "circumflex"; 0 = another name.
uint32_t tex_letter_of_name(std::string_view name);

}  // namespace docspec
