#pragma once

#include <string>
#include <vector>

#include "core/page/page_glyphs.h"
#include "core/page/page_image.h"

namespace docspec {

/// Glyphs of one size on one line, next to each other.
struct GlyphRun {
  std::vector<size_t> glyphs;  ///< from left to right
  double x0 = 1e9, x1 = -1e9, base = 0, size = 0;
  int first = 0, last = 0;  ///< orders
  bool prose = false;       ///< words of a language outweigh its signs
};

/// What the name of a font says of its letters.
struct FontUse {
  bool math, variables, mono, italic;
  bool text = false;  ///< where whole formulas have one font: another
};

/// Whether a glyph was written within a line, or is an index at one of its ends.
bool holds(const GlyphRun& line, const PageGlyph& glyph);

/// The glyphs of a page and its lines of prose. Keeps a reference to the page.
class GlyphLines {
 public:
  explicit GlyphLines(const PageGlyphs& page);

  const PageGlyphs& page() const { return page_; }
  size_t size() const { return page_.glyphs.size(); }
  const PageGlyph& glyph(size_t i) const { return page_.glyphs[i]; }
  /// The names of its fonts; those of slanted text in which no variables are set pass for upright.
  const std::vector<std::string>& latex_fonts() const { return latex_fonts_; }
  const FontUse& font(size_t i) const { return fonts_[size_t(glyph(i).font)]; }
  bool math(size_t i) const { return font(i).math; }
  /// Whether formulas have no letter, digit or bracket of the fonts of text, as those of Word.
  bool whole_formulas() const { return whole_formulas_; }

  const std::vector<GlyphRun>& runs() const { return runs_; }
  /// Lines of prose, in the order in which they were written.
  const std::vector<const GlyphRun*>& prose() const { return prose_; }
  /// Whether what stands from `x0` to `x1`, its base `pitch` below a full line of prose, is the
  /// last line of that paragraph: at its left, where a displayed formula stands in the middle.
  bool ends_paragraph(const GlyphRun& before, double x0, double x1, double pitch) const;
  /// The line of prose that a glyph was written in, also as an index at its end; nullptr = of none.
  const GlyphRun* line_of(size_t i) const { return lines_[i]; }
  /// Whether a glyph is of the number below the page.
  bool of_page_number(size_t i) const { return i >= page_number_; }

  /// The glyphs that were written from one order to another, the second not included.
  std::vector<size_t> glyphs(int from, int to) const;
  /// The bars that were, likewise.
  std::vector<PageRule> rules(int from, int to) const;

 private:
  void mark_upright_math();
  bool bridged(size_t left, size_t right) const;
  void find_runs();
  bool beside_signs(const GlyphRun& run) const;
  bool is_index(const GlyphRun& run) const;
  bool is_prose(const GlyphRun& run) const;
  bool opens_with_word(const GlyphRun& run) const;
  /// Of all that was written from its first glyph to its last one.
  double height(const GlyphRun& run) const;
  /// Whether a run is a line of text that begins with the mark of a list.
  bool opens_item(const GlyphRun& run) const;
  bool ends_at_mark(const GlyphRun& run) const;
  std::vector<Box> find_algorithms() const;
  size_t page_number() const;
  void find_lines();

  const PageGlyphs& page_;
  std::vector<FontUse> fonts_;
  std::vector<std::string> latex_fonts_;
  bool whole_formulas_ = false;
  std::vector<GlyphRun> runs_;
  std::vector<const GlyphRun*> prose_;  // in the order of writing
  std::vector<const GlyphRun*> lines_;  // by glyph
  size_t page_number_ = 0;              // its first glyph
};

}  // namespace docspec
