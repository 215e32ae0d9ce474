#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/input/letters/tex_fonts.h"

class QPDFObjectHandle;

namespace docspec {

/// A glyph of a font whose codes are of two bytes.
struct WideGlyph {
  TexGlyph glyph;              ///< letter 0 = not known, ' ' = a blank
  double width = 1;            ///< in font sizes
  double left = 0, right = 0;  ///< the ink of an accent that has no width, else 0
  bool upright = false;  ///< of a font of formulas: a letter, digit or bracket that text has too
};

/// A font of a PDF whose codes are of two bytes, the numbers of its glyphs: those that Word embeds.
struct WideFont {
  std::string name;  ///< without a subset's prefix
  double width = 1;  ///< of glyphs that are not listed
  std::unordered_map<unsigned, WideGlyph> glyphs;
  std::span<const uint32_t> set =
      {};  ///< letters of all codes, where the font has no map of its own

  WideGlyph glyph(unsigned code) const;
};

/// The font of a font dictionary; nothing where it is another, or has neither a map to Unicode nor
/// a known set of characters.
std::optional<WideFont> read_wide_font(QPDFObjectHandle dictionary);

/// The name for the upright letters, digits and brackets of a font that sets whole formulas, as
/// Word's Cambria Math does: they make words, its other letters are variables. Empty for others.
std::string upright_name(std::string_view font);
/// Whether a name is such a one.
bool is_upright_name(std::string_view font);

/// How far the ink of a glyph reaches over its line and under it, in font sizes; nothing where the
/// program is no TrueType font or the glyph has no ink.
std::optional<std::pair<double, double>> true_type_ink(std::string_view program, unsigned glyph);

}  // namespace docspec
