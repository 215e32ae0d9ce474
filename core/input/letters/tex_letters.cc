#include "core/input/letters/tex_letters.h"

#include "core/input/letters/tex_fonts.h"

namespace docspec {
namespace {

/// A large symbol within text: a wide accent as a sign of its own.
TexLetter large_symbol(uint32_t code) {
  const auto glyph = tex_glyph("CMEX10", code);
  if (!glyph || code > 0x73) return {};
  switch (glyph->letter) {
    case 0x302:
      return {U'^', 0.3};
    case 0x303:
      return {U'~', 0.3};
    case 0x2216:
      return {U'\\', glyph->above + glyph->below};
    default:
      return {glyph->letter, glyph->above + glyph->below};
  }
}

}  // namespace

TexLetter tex_letter(std::string_view font, uint32_t code) {
  if (font.starts_with("CMEX")) return large_symbol(code);
  const bool symbols = font.starts_with("CMSY") || font.starts_with("CMBSY");
  if (symbols && code == '6') return {0x338, 0};
  if (font.starts_with("CMMI") && code == '?') return {0x22C6, 0};  // a star
  if (font.starts_with("LASY") && code == '2') return {0x25A1, 0};  // the end of a proof
  if (font.starts_with("MSAM") && code > ' ' && code < 0x7F)        // Beamer's bullets
    if (const auto glyph = tex_glyph(font, code)) return {glyph->letter, 0};
  if (code < 'A' || code > 'Z' || !(symbols || font.starts_with("MSBM"))) return {};
  return {tex_glyph(font, code)->letter, 0};
}

uint32_t bitmap_letter(uint32_t code) {
  static constexpr std::u32string_view kLigatures = U"\uFB00\uFB01\uFB02\uFB03\uFB04";
  static constexpr std::u32string_view kQuotesAndDashes = U"“”„«»–—";  // from 0x10
  if (code == 0x06) return U'°';
  for (const uint32_t first : {0x0Bu, 0x1Bu})
    if (code >= first && code < first + kLigatures.size()) return kLigatures[code - first];
  if (code >= 0x10 && code < 0x10 + kQuotesAndDashes.size()) return kQuotesAndDashes[code - 0x10];
  return 0;
}

}  // namespace docspec
