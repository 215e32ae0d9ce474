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

/// An integral of esint, which Poppler reads as the accent or quote that gives the glyph its name.
TexLetter integral(uint32_t read) {
  static constexpr std::u32string_view kRead = U"`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹";  // from 0x00
  const size_t code = kRead.find(char32_t(read));
  const auto glyph = tex_glyph("esint10", unsigned(code == kRead.npos ? read : code));
  return glyph ? TexLetter{glyph->letter, glyph->below} : TexLetter{};
}

}  // namespace

TexLetter tex_letter(std::string_view font, uint32_t code) {
  const TexEncoding encoding = tex_encoding(font);
  const bool capital = code >= 'A' && code <= 'Z', digit = code >= '0' && code <= '9',
             small = code >= 'a' && code <= 'z';
  if (font.starts_with("CMEX")) return large_symbol(code);
  // Others may have a map, which tells their brackets; a letter is a code without a name there.
  if (encoding == TexEncoding::large && (capital || small)) return large_symbol(code);
  if (encoding == TexEncoding::integrals) return integral(code);
  if (encoding == TexEncoding::symbols && code == '6') return {0x338, 0};
  if (font.starts_with("CMMI") && code == '?') return {0x22C6, 0};  // a star
  if (font.starts_with("LASY") && code == '2') return {0x25A1, 0};  // the end of a proof
  if (font.starts_with("MSAM") && code > ' ' && code < 0x7F)        // Beamer's bullets
    if (const auto glyph = tex_glyph(font, code)) return {glyph->letter, 0};
  const bool symbol = encoding == TexEncoding::symbols && (capital || digit || small);
  if (!symbol && !(capital && font.starts_with("MSBM"))) return {};
  const auto glyph = tex_glyph(font, code);
  return glyph ? TexLetter{glyph->letter, 0} : TexLetter{};
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
