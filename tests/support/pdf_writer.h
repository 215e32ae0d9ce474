#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/input/document_reader.h"

namespace docspec::test {

/// One line of text on a page of a PDF made here; the place is in points from the bottom left.
struct PdfLine {
  double x = 72, y = 700;
  std::string text;
  double size = 11;
  std::string font = "F1";  ///< F1 Helvetica, F2 Helvetica-Bold, F3 Courier
};

struct PdfPage {
  std::vector<PdfLine> lines;
  int rotate = 0;
  std::string drawing = {};  ///< content operators before the text
  double width = 612, height = 792;
  std::string annotations = {};  ///< dictionaries of the page's annotations
};

/// A small valid PDF.
std::string make_pdf(const std::vector<PdfPage>& pages);

/// Bytes as a document to open.
std::shared_ptr<const InputBytes> input(std::string bytes, std::string name = "in.pdf");

}  // namespace docspec::test
