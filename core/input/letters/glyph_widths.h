#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace docspec {

/// "ABCDEF+Times-Bold" -> "Times-Bold": a font's name without its subset's prefix. Some programs
/// name a font of TeX as its file: "cmmi10" -> "CMMI10", "ecbx1000" -> "SFBX1000".
std::string plain_font_name(std::string name);

/// The letters of a word of a text layer, from left to right as painted, and the widths of their
/// glyphs in one unit.
struct GlyphWord {
  std::string font;
  std::vector<uint32_t> letters;
  std::vector<double> widths;  ///< one a letter, in font sizes
};

/// Puts back what a PDF's map to Unicode lost of ligatures, by the widths of glyphs. Some maps know
/// only the last letter of a ligature: an "i" as wide as "fi" is one. Others have U+FFFD for it, as
/// Word's for "ti" and "ft" of Calibri. Learn all words of a page first.
class GlyphWidths {
 public:
  void learn(const GlyphWord& word);
  /// The letters of the word with those of its ligatures.
  std::vector<uint32_t> repaired(const GlyphWord& word) const;

 private:
  /// Median width of a Latin letter in a font; 0 where fewer than `least` were seen.
  double usual(const std::string& font, uint32_t letter, size_t least) const;
  bool stretched(const GlyphWord& word) const;
  /// Width of letters set one by one; 0 where one of them was seen in no font of the family.
  double sum(const std::string& font, std::string_view letters) const;
  /// The ligature of a glyph without a letter; empty where no width fits.
  std::string_view unmapped(const GlyphWord& word, size_t at) const;

  std::unordered_map<std::string, std::array<std::vector<double>, 128>> seen_;
};

}  // namespace docspec
