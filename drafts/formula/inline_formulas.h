#pragma once

#include <string>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/formula/glyph_lines.h"

namespace docspec {

/// A formula within a paragraph.
struct InlineFormula {
  std::vector<size_t> glyphs;  ///< indices, in the order of writing
  std::string latex;           ///< without dollars
  double base = 0, size = 0;   ///< of its line, the last of two
};

/// The formulas within the lines of a page's paragraphs, in the order of writing: variables, and
/// the numbers, brackets, signs and indices that belong to them; two parts of one that a line's end
/// divides are one. Left out is what plain text shows as well (numbers with a sign, raised units),
/// what has no LaTeX, and what stands in `displayed`.
std::vector<InlineFormula> read_inline_formulas(const GlyphLines& lines,
                                                const std::vector<PageFormula>& displayed);

/// The formulas in one line of text, which `glyphs` (indices, in the order of writing) are.
std::vector<InlineFormula> read_line_formulas(const GlyphLines& lines, const GlyphRun& line,
                                              const std::vector<size_t>& glyphs);

}  // namespace docspec
