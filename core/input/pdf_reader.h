#pragma once

#include <memory>
#include <string>

#include "core/input/document_reader.h"

namespace docspec {

/// Opens a PDF with Poppler. Words come without control characters; the raster is at most 1 GB of
/// work. Throws as open_document does.
std::unique_ptr<DocumentReader> open_pdf(std::shared_ptr<const InputBytes> input,
                                         const std::string& user_password);

}  // namespace docspec
