#pragma once

#include <vector>

#include "drafts/formula/glyph_lines.h"

namespace docspec {

/// A part of a line of prose: a word, a number, a sign, an index.
struct LineToken {
  enum class Kind { word, letter, number, sign, open, close, comma, index, other };
  Kind kind = Kind::other;
  std::vector<size_t> glyphs;  ///< indices, in the order of writing
  double x0 = 1e9, x1 = -1e9;
  bool math = false;       ///< of a formula whatever stands beside it
  bool wide = false;       ///< an operator or a relation: blanks may stand around it
  bool function = false;   ///< a word: "log", "max"
  bool variables = false;  ///< an index: it has letters
  bool bold = false;       ///< a letter
  int bar = -1;            ///< the bar of a fraction or a root that it stands at; -1 = none
};

/// The tokens of the glyphs of one line, in the order of writing.
std::vector<LineToken> line_tokens(const GlyphLines& lines, const std::vector<size_t>& glyphs,
                                   const GlyphRun& line);

/// Whether the glyphs of a line are of code, which may have a sign of formulas.
bool are_of_code(const GlyphLines& lines, const std::vector<size_t>& glyphs);

}  // namespace docspec
