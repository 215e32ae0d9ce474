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

/// The encodings of TeX's fonts, and that of PostScript's Symbol.
enum class TexEncoding {
  none,
  roman,
  italic,
  symbols,
  large,
  large_more,  ///< the braces that newtx and newpx have in a font of their own
  integrals,   ///< those of the package esint
  ams_a,
  ams_b,
  script,
  fraktur,
  double_struck,
  pazo,
  post_script
};

/// The encoding of a font, without a subset's prefix; none where it is none of Computer Modern,
/// Latin Modern, AMS, Pazo, or PostScript's Symbol.
TexEncoding tex_encoding(std::string_view font);

/// Whether TeX sets formulas in it. Symbol is everybody's.
inline bool is_tex_math(std::string_view font) {
  const TexEncoding encoding = tex_encoding(font);
  return encoding != TexEncoding::none && encoding != TexEncoding::roman &&
         encoding != TexEncoding::post_script;
}

/// The glyph that a code stands for in the font's own encoding; nothing where tex_encoding is none
/// or the font has no such glyph.
std::optional<TexGlyph> tex_glyph(std::string_view font, unsigned code);

/// The letter of a glyph's name where the name is one that TeX's text fonts have and a code does
/// not tell: "Gamma", "ffi", "circumflex", "eacute"; 0 = another name.
uint32_t tex_letter_of_name(std::string_view name);

}  // namespace docspec
