#include "core/input/letters/symbol_fonts.h"

#include <algorithm>
#include <iterator>

#include "core/input/letters/tex_fonts.h"

namespace docspec {
namespace {

constexpr uint32_t kPrivate = 0xF000, kLastPrivate = 0xF0FF;

bool is_extra(std::string_view font) {
  return font.find("MT-Extra") != font.npos || font.find("MT Extra") != font.npos ||
         font.find("MTExtra") != font.npos;
}

/// Adobe's Symbol and its copies; not the fonts of office programs with signs of Unicode.
bool is_symbol(std::string_view font) {
  constexpr std::string_view kOthers[] = {"OpenSymbol", "StarSymbol", "UISymbol"};
  return font.find("Symbol") != font.npos &&
         std::none_of(std::begin(kOthers), std::end(kOthers),
                      [&](std::string_view other) { return font.find(other) != font.npos; });
}

/// Of MT Extra: arrows and dots stand over the letter before them.
uint32_t extra_sign(uint32_t code) {
  constexpr std::u32string_view kCodes = U"&rvsKLMNOhlo";
  constexpr std::u32string_view kSigns = U"\u0307\u20D7\u20D7\u20D6…⋯⋮⋰⋱ℏℓ°";
  static_assert(kCodes.size() == kSigns.size());
  const size_t at = kCodes.find(char32_t(code));
  return at == kCodes.npos ? 0 : uint32_t(kSigns[at]);
}

}  // namespace

uint32_t symbol_sign(std::string_view font, uint32_t letter) {
  constexpr uint32_t kFirstPiece = 0xF8EB, kLastPiece = 0xF8FE;  // of brackets, by Adobe
  constexpr std::u32string_view kPieces = U"⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭";
  static_assert(kPieces.size() == kLastPiece - kFirstPiece + 1);
  if (letter >= kFirstPiece && letter <= kLastPiece) return kPieces[letter - kFirstPiece];
  const bool is_private = letter > kPrivate && letter <= kLastPrivate;
  const uint32_t code = is_private ? letter - kPrivate : letter;
  if (is_extra(font)) return extra_sign(code);
  if (!is_private || !is_symbol(font)) return 0;
  if (code == ' ') return ' ';
  const auto glyph = tex_glyph("Symbol", code);
  return glyph ? glyph->letter : 0;
}

bool is_equation_font(std::string_view font) {
  return is_symbol(font) || is_extra(font);
}

}  // namespace docspec
