#include "drafts/formula/stacked_signs.h"

#include <algorithm>
#include <cmath>

#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

/// Whether a glyph goes on with the stroke of an arrow that the one before it is a part of.
bool goes_on_with(const PageGlyph& last, const PageGlyph& next) {
  constexpr double kOverlap = 0.08, kLevel = 0.05;  // font sizes
  const bool part = next.letter == 0x2212 || next.letter == 0x2192;
  return part && last.letter != 0x2192 && std::abs(next.base - last.base) < kLevel * last.size &&
         std::abs(next.size - last.size) < kLevel * last.size &&
         next.x0 < last.x1 - kOverlap * last.size && next.x0 > last.x0;
}

}  // namespace

OverArrow over_arrow(std::span<const PageGlyph> glyphs, size_t at) {
  constexpr double kLeast = 0.35, kMost = 1.3, kSame = 0.85, kAside = 0.05;  // font sizes
  const uint32_t first = glyphs[at].letter;
  if (first != 0x2212 && first != 0x2190 && first != 0x2192) return {};
  const PageGlyph& arrow = glyphs[at];
  OverArrow found;
  found.letters = at + 1;
  while (found.letters < glyphs.size() &&
         goes_on_with(glyphs[found.letters - 1], glyphs[found.letters]))
    ++found.letters;
  const PageGlyph& head = glyphs[found.letters - 1];
  if (first != 0x2190 && head.letter != 0x2192) return {};
  const auto is_under = [&](const PageGlyph& g) {
    const double middle = (g.x0 + g.x1) / 2, below = g.base - arrow.base;
    return g.size > kSame * arrow.size && below > kLeast * arrow.size &&
           below < kMost * arrow.size && middle > arrow.x0 - kAside * arrow.size &&
           middle < head.x1 + kAside * arrow.size;
  };
  size_t end = found.letters;
  while (end < glyphs.size() && is_under(glyphs[end])) ++end;
  found.end = end > found.letters ? end : 0;
  return found;
}

bool is_limit_of(const PageGlyph& glyph, const PageGlyph& sign) {
  constexpr double kSmaller = 0.85, kTall = 1.2, kOff = 1.2, kWithin = 0.45, kAside = 1.5;
  const double em = sign.size;
  if (!is_large_operator(sign.letter) || sign.bottom - sign.top < kTall * em ||
      glyph.size > kSmaller * em || glyph.x1 < sign.x0 - kAside * em ||
      glyph.x0 > sign.x1 + kAside * em)
    return false;
  const double above = sign.top - glyph.bottom, below = glyph.top - sign.bottom;
  return std::max(above, below) > -kWithin * em && std::max(above, below) < kOff * em;
}

}  // namespace docspec
