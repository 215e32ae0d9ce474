#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace docspec {

/// One letter or sign as the page's content places it, in pixels of the upright page.
struct PageGlyph {
  uint32_t letter = 0;         ///< code point; 0 = not known
  int font = 0;                ///< index into PageGlyphs::fonts
  double x0 = 0, x1 = 0;       ///< from its origin to the next glyph's
  double base = 0;             ///< height of the line that it stands on
  double top = 0, bottom = 0;  ///< its ink, roughly
  double size = 0;             ///< of its font
  int order = 0;               ///< its place in the content, shared with rules
};

/// A filled bar: of a fraction, a root, a table.
struct PageRule {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  int order = 0;
};

/// A formula that an equation editor drew.
struct EquationPicture {
  int first = 0, last = 0;    ///< orders of its parts, the last not included
  double base = 0, size = 0;  ///< its line and the size of its letters, once they are known
};

/// The letters and bars that a page's content draws, in its order. TeX writes the parts of a
/// formula in their order too: a numerator, its bar, the denominator.
struct PageGlyphs {
  std::vector<std::string> fonts;  ///< names without a subset's prefix
  std::vector<PageGlyph> glyphs;
  std::vector<PageRule> rules;
  std::vector<PageRule> uprights;  ///< bars that run down, as tables have; no order is theirs alone
  /// The formulas are those of Word's equation editors, which draw them font by font.
  bool equations = false;
  std::vector<EquationPicture> pictures;  ///< in the order of drawing

  bool empty() const { return glyphs.empty(); }
};

}  // namespace docspec
