#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_glyphs.h"

namespace docspec {

/// A sign of a formula, or what was put together of several: a word, a fraction, a root.
struct FormulaItem {
  std::string latex;
  double x0 = 0, x1 = 0, top = 0, bottom = 0;  ///< its ink, roughly
  double base = 0;                             ///< the line that it stands on
  double size = 0;                             ///< of its font, in pixels
  int order = 0;                               ///< in which it was written
  uint32_t sign = 0;                           ///< of an item of one letter
  bool roman = false;                          ///< an upright letter, or a word of them
  bool bold = false;
  bool whole = false;  ///< put together of several
  bool tall = false;   ///< a bracket of more than a line
  bool least = false;  ///< of the size of an index's index, whose own indices are as large

  double middle() const { return (x0 + x1) / 2; }
  double axis() const { return (top + bottom) / 2; }
  double height() const { return bottom - top; }
};

using FormulaItems = std::vector<FormulaItem>;

/// Thrown within this room where a part of a formula cannot be read.
struct UnreadableFormula {};

/// Items of glyphs and of words, in the order in which they were written. Throw UnreadableFormula
/// for a sign without LaTeX.
FormulaItems formula_items(std::span<const std::string> fonts, std::span<const PageGlyph> glyphs);
FormulaItems formula_items(std::span<const Word> words, double dpi);

/// Items [from, to).
FormulaItems slice(const FormulaItems& items, size_t from, size_t to);
/// Replaces items [from, to) by one.
void replace(FormulaItems& items, size_t from, size_t to, FormulaItem by);

/// The one sign that several items make, standing where `like` stands.
FormulaItem joined_item(std::string latex, const FormulaItems& of, const FormulaItem& like);
/// What several items became, a part of a formula with parts of its own.
FormulaItem whole_item(std::string latex, const FormulaItems& of, const FormulaItem& like);

/// A tall bracket or a large sign: it has a height of its own, whatever line it stands on.
bool hangs(const FormulaItem& item);
/// Whether it is of the size of its row, `size`, and shows the line of it.
bool on_line(const FormulaItem& item, double size);
/// The largest font size of items that do not hang; of all where there are no others.
double main_size(const FormulaItems& items);
/// An item of that size whose line is the items' own: the middle one of them.
const FormulaItem& main_item(const FormulaItems& items);

/// Braces on their side.
constexpr uint32_t kOverBrace = 0x23DE, kUnderBrace = 0x23DF;
inline bool is_brace(uint32_t sign) {
  return sign == kOverBrace || sign == kUnderBrace;
}

/// The bracket that closes what this one opens; of others the sign itself.
uint32_t closing_of(uint32_t open);
bool opens_bracket(uint32_t sign);
bool closes_bracket(uint32_t sign);
bool is_fence(uint32_t sign);  ///< | and the like, which open and close

}  // namespace docspec
