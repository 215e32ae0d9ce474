#include "drafts/formula/equations/equation_parts.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "drafts/latex/formula_items.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

/// The largest size of the parts outside [from, to) that do not grow; 0 where there are none.
double size_outside(const EquationParts& parts, size_t from, size_t to) {
  double size = 0;
  for (size_t i = 0; i < parts.size(); ++i)
    if ((i < from || i >= to) && !grows(parts[i].sign)) size = std::max(size, parts[i].size);
  return size;
}

/// The line nearest to `base` that the parts of a size stand on.
double nearest_line(const EquationParts& parts, double size, double base) {
  double nearest = 1e9;
  for (const EquationPart& part : parts)
    if (part.size == size && !grows(part.sign) &&
        std::abs(part.base - base) < std::abs(nearest - base))
      nearest = part.base;
  return nearest;
}

/// The sign of a wide glyph of ASCII is a plain one; half of a bracket's or a comma's box is blank.
EquationPart part_of(PageGlyph glyph) {
  constexpr uint32_t kWide = 0xFEE0;
  if (glyph.letter > kWide + ' ' && glyph.letter < kWide + 0x7F) {
    glyph.letter -= kWide;
    const double middle = (glyph.x0 + glyph.x1) / 2;  // the other half is blank
    if (opens_bracket(glyph.letter)) glyph.x0 = middle;
    if (closes_bracket(glyph.letter) || is_one_of(glyph.letter, U",;:.")) glyph.x1 = middle;
  }
  if (glyph.letter == '~') glyph.letter = 0x223C;  // a relation: accents are signs of their own
  return {{glyph},   {},           {0},        glyph.x0,   glyph.x1,
          glyph.top, glyph.bottom, glyph.base, glyph.size, glyph.letter};
}

/// Names that are set larger than the letters beside them, at the size and line of those.
void settle_large_names(EquationParts& parts) {
  constexpr double kLarger = 1.2;
  for (size_t from = 0, to = 0; from < parts.size(); from = std::max(to, from + 1)) {
    std::string word;
    for (to = from; to < parts.size() && is_ascii_letter(parts[to].sign) &&
                    parts[to].base == parts[from].base && parts[to].size == parts[from].size;
         ++to)
      word += char(parts[to].sign);
    if (!is_function_name(word)) continue;
    const double size = size_outside(parts, from, to);
    if (size == 0 || parts[from].size < kLarger * size) continue;
    const double base = nearest_line(parts, size, parts[from].base);
    for (size_t i = from; i < to; ++i) {
      parts[i].base = parts[i].glyphs[0].base = base;
      parts[i].size = parts[i].glyphs[0].size = size;
    }
  }
}

}  // namespace

EquationParts equation_parts(const std::vector<PageGlyph>& glyphs) {
  EquationParts parts;
  for (const PageGlyph& glyph : glyphs) parts.push_back(part_of(glyph));
  settle_large_names(parts);
  return parts;
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
