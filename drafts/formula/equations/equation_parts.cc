#include "drafts/formula/equations/equation_parts.h"

#include <algorithm>

#include "drafts/latex/formula_items.h"
#include "drafts/latex/math_letters.h"

namespace docspec {

EquationPart part_of(PageGlyph glyph) {
  constexpr uint32_t kWide = 0xFEE0;
  if (glyph.letter > kWide + ' ' && glyph.letter < kWide + 0x7F) glyph.letter -= kWide;
  return {{glyph},   {},           {0},        glyph.x0,   glyph.x1,
          glyph.top, glyph.bottom, glyph.base, glyph.size, glyph.letter};
}

void append(EquationPart& part, const EquationPart& more) {
  const int glyphs = int(part.glyphs.size()), rules = int(part.rules.size());
  for (const int at : more.sequence) part.sequence.push_back(at >= 0 ? at + glyphs : at - rules);
  part.glyphs.insert(part.glyphs.end(), more.glyphs.begin(), more.glyphs.end());
  part.rules.insert(part.rules.end(), more.rules.begin(), more.rules.end());
  part.x0 = std::min(part.x0, more.x0);
  part.x1 = std::max(part.x1, more.x1);
  part.top = std::min(part.top, more.top);
  part.bottom = std::max(part.bottom, more.bottom);
}

void append(EquationPart& part, const PageRule& rule) {
  part.sequence.push_back(-1 - int(part.rules.size()));
  part.rules.push_back(rule);
  part.x0 = std::min(part.x0, rule.x0);
  part.x1 = std::max(part.x1, rule.x1);
}

double letter_size(const EquationParts& parts) {
  double size = 0, any = 0;
  for (const EquationPart& part : parts) {
    any = std::max(any, part.size);
    if (!grows(part.sign)) size = std::max(size, part.size);
  }
  return size > 0 ? size : any;
}

bool is_piece(uint32_t letter) {
  return letter >= 0x239B && letter <= 0x23AE;
}

bool grows(uint32_t letter) {
  return opens_bracket(letter) || closes_bracket(letter) || is_fence(letter) || is_piece(letter) ||
         is_large_operator(letter) || letter == 0x221A || letter == '/';
}

}  // namespace docspec
