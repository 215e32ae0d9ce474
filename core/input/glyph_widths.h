#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace docspec {

/// The letters of a word of a text layer, from left to right as painted, and the widths of their
/// glyphs in one unit.
struct GlyphWord {
  std::string font;
  std::vector<uint32_t> letters;
  std::vector<double> widths;  ///< one a letter, in font sizes
};

/// Puts back what a PDF's map to Unicode lost of ligatures, by the widths of glyphs. Some maps know
/// only the last letter of a ligature: an "i" as wide as "fi" is one. Learn all words of a page
/// first.
class GlyphWidths {
 public:
  void learn(const GlyphWord& word);
  /// The letters of the word with those of its ligatures.
  std::vector<uint32_t> repaired(const GlyphWord& word) const;

 private:
  /// Median width of a Latin letter in a font; 0 where fewer than `least` were seen.
  double usual(const std::string& font, uint32_t letter, size_t least) const;
  bool stretched(const GlyphWord& word) const;

  std::unordered_map<std::string, std::array<std::vector<double>, 128>> seen_;
};

}  // namespace docspec
