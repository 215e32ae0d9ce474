#pragma once

#include <string>
#include <vector>

#include "core/page/page_image.h"

class QPDF;

namespace docspec {

/// A place of a page that opens an address when it is clicked.
struct PdfLink {
  PointBox box;  ///< points of the upright page, from its top left corner
  std::string address;
};

/// The links of a page (from 1) to http, https and mailto addresses, in the file's order. Empty
/// where they cannot be read.
std::vector<PdfLink> read_pdf_links(QPDF& pdf, int page);

}  // namespace docspec
