#pragma once

#include <cstdint>
#include <vector>

#include "core/page/page_glyphs.h"

namespace docspec {

/// A sign of a formula, or several that are in their order already: a fraction, a word with its
/// limit.
struct EquationPart {
  std::vector<PageGlyph> glyphs;
  std::vector<PageRule> rules;
  std::vector<int> sequence;  ///< i >= 0: the glyph of that index, below 0: the rule -1 - i
  double x0 = 0, x1 = 0, top = 0, bottom = 0, base = 0, size = 0;
  uint32_t sign = 0;  ///< of a part of one glyph

  double middle() const { return (x0 + x1) / 2; }
  double axis() const { return (top + bottom) / 2; }
};

using EquationParts = std::vector<EquationPart>;

/// A part for each glyph. A sign of ASCII as Chinese fonts have it, as wide as their letters,
/// becomes a plain one, the tilde of a keyboard a relation. A name that is set larger than the
/// letters beside it, as large as signs of sums ("lim"), gets their size and line.
EquationParts equation_parts(const std::vector<PageGlyph>& glyphs);

/// Writes `more` behind a part; its box grows.
void append(EquationPart& part, const EquationPart& more);
void append(EquationPart& part, const PageRule& rule);

/// A piece of a tall bracket.
bool is_piece(uint32_t letter);
/// Whether the size of a sign says nothing of the letters beside it: brackets, sums, roots.
bool grows(uint32_t letter);

/// The size of the letters: the largest one that is of no such sign.
double letter_size(const EquationParts& parts);

}  // namespace docspec
