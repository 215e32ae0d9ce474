#pragma once

#include <memory>
#include <string>
#include <string_view>

class QPDF;

namespace docspec {

/// The objects of a PDF, for what Poppler's interface does not tell; null where the file cannot be
/// read this way. `bytes` must outlive them.
std::shared_ptr<QPDF> open_pdf_objects(std::string_view bytes, const std::string& password);

}  // namespace docspec
