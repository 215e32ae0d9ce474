#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/page/page_image.h"

class QPDF;

namespace docspec {

/// A place of a page that opens an address when it is clicked.
struct PdfLink {
  PointBox box;  ///< points of the upright page, from its top left corner
  std::string address;
};

/// The links of a PDF's pages to http, https and mailto addresses. A file that cannot be read this
/// way has none.
class PdfLinks {
 public:
  /// The file's objects, or null.
  explicit PdfLinks(std::shared_ptr<QPDF> pdf) : pdf_(std::move(pdf)) {}

  /// Of a page, from 1, in the file's order.
  std::vector<PdfLink> on(int page) const;

 private:
  std::shared_ptr<QPDF> pdf_;
};

}  // namespace docspec
