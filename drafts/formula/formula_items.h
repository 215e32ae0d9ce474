#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// A word of a formula, or what was put together of several: a fraction, a root.
struct FormulaItem {
  std::string latex;
  Box box;
  double size = 0;     ///< of its font, in pixels
  double axis = 0;     ///< height of its middle
  uint32_t sign = 0;   ///< of an item of one letter
  bool whole = false;  ///< put together of several
  bool tall = false;   ///< a bracket of more than a line

  double middle() const { return (box.x0 + box.x1) / 2.0; }
};

using FormulaItems = std::vector<FormulaItem>;

/// Thrown within this room where a part of a formula cannot be read.
struct UnreadableFormula {};

/// Items of the words; large signs stand alone. Throws UnreadableFormula for a sign without LaTeX.
FormulaItems formula_items(std::span<const Word> words, double dpi);

/// What several items became, of full size wherever it stands.
FormulaItem whole_item(std::string latex, const Box& box, double size, double axis);

/// The largest font size; 0 without items.
double main_size(const FormulaItems& items);
/// Axes of the items of that size, brackets and large operators aside.
std::vector<double> main_axes(const FormulaItems& items);
/// Their median; the first item's where there are none.
double main_axis(const FormulaItems& items);
Box box_of(const FormulaItems& items);

bool opens_bracket(uint32_t sign);
bool closes_bracket(uint32_t sign);

}  // namespace docspec
