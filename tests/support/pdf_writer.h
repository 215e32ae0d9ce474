#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/input/document_reader.h"
#include "core/page/page_image.h"

namespace docspec::test {

/// One line of text on a page of a PDF made here; the place is in points from the bottom left.
struct PdfLine {
  double x = 72, y = 700;
  std::string text;
  double size = 11;
  /// F1 Helvetica, F2 its bold, F3 Courier, F4 Times, F5 its bold, F6 its italic, F7 Helvetica's
  /// oblique; F8 Helvetica whose map to letters says of each the third after it;
  /// F9, F10 TeX's CMMI10 and CMR10, which are not in the file; F11 Symbol, for "=" alone.
  std::string font = "F1";
};

/// Pixels on a page, in points from the bottom left.
struct PdfImage {
  PageImage pixels;
  double x = 0, y = 0, width = 612, height = 792;
};

struct PdfPage {
  std::vector<PdfLine> lines;
  int rotate = 0;
  std::string drawing = {};  ///< content operators before the text
  double width = 612, height = 792;
  std::string annotations = {};       ///< dictionaries of the page's annotations
  std::vector<PdfImage> images = {};  ///< grey, below all else
};

/// Content that paints a rectangle ("f" fills, "S" strokes); places are in points from the bottom
/// left.
inline std::string rectangle(const char* paint, double x, double y, double width, double height) {
  return std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(width) + " " +
         std::to_string(height) + " re " + paint + "\n";
}
inline std::string frame(double x, double y, double width, double height) {
  return rectangle("S", x, y, width, height);
}
/// Content that draws a thin line from x0 to x1.
inline std::string rule(double x0, double x1, double y) {
  return rectangle("f", x0, y, x1 - x0, 0.6);
}

/// A small valid PDF.
std::string make_pdf(const std::vector<PdfPage>& pages);

/// Bytes as a document to open.
std::shared_ptr<const InputBytes> input(std::string bytes, std::string name = "in.pdf");

}  // namespace docspec::test
