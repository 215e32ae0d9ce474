#pragma once

#include <vector>

#include "core/page/page_image.h"
#include "drafts/ocr/ppocr/text_map.h"

namespace docspec::ppocr {

/// The image of one line, set level and brought to the recogniser's height.
struct LineImage {
  LineBox box;                ///< of the page; its x axis is the line's reading direction
  int width = 0;              ///< pixels
  std::vector<float> pixels;  ///< [3, kLineHeight, width], BGR in [-1, 1]
};

/// Cuts a line out of a page, bilinearly, as wide as its shape asks for and at
/// most `most_width`, without the feet and heads of lines next to it. A line that is much higher
/// than wide is one whose text runs downwards: it is turned.
LineImage cut_line(const PageImage& page, LineBox box, int most_width);

/// A page for the detector: [3, height, width] BGR in [-1, 1].
std::vector<float> shrink_page(const PageImage& page, int width, int height);

/// A part of a line's image, pixels.
struct Span {
  double x0 = 0, x1 = 0;
};

/// The ink of a line: the smaller one of the two classes of gray levels [Otsu 1979], without what
/// reaches in from the lines above and below.
class LineInk {
 public:
  explicit LineInk(const LineImage& line);

  /// The middle of the widest gap between two places, their middle where ink is everywhere.
  double gap_between(double x0, double x1) const;
  /// Width of that gap, pixels.
  double gap_width(double x0, double x1) const;
  /// The same, but 0 where the gap reaches one of the two places: what stands there is not known.
  double gap_width_between_ink(double x0, double x1) const;
  /// Whether a thin rule runs down the whole line between two places.
  bool rule_between(double x0, double x1) const;
  /// The box, in pixels of the page, around the ink of a part; of all its height where it has none.
  Box box_of(Span part) const;

 private:
  std::pair<int, int> widest_gap(double x0, double x1) const;

  const LineImage& line_;
  std::vector<unsigned char> ink_;  // [height, width], without rules
  std::vector<bool> rules_;         // columns that a rule runs down
  int top_ = 0, bottom_ = 0;        // rows that belong to this line
};

}  // namespace docspec::ppocr
