#pragma once

#include <vector>

namespace docspec::ppocr {

/// How the middle of a line on bent paper runs through its rectangle. Lengths are pixels, measured
/// from the rectangle's middle.
struct LineBend {
  struct Knot {
    double along = 0, across = 0;
  };

  std::vector<Knot> knots;  ///< from left to right; none where the line is straight
  double thickness = 0;     ///< of the line itself, less than its rectangle's

  /// Where the line's middle is; the outer knots' slopes go on beyond them.
  double across_at(double along) const;
};

/// One column of an area of text, in its rectangle's directions.
struct TextColumn {
  double along = 0, top = 0, bottom = 0;
};

/// The bend of an area of text, columns from left to right; without knots where it is straight, or
/// no single line. `height`: of its rectangle.
LineBend find_bend(const std::vector<TextColumn>& columns, double height);

}  // namespace docspec::ppocr
