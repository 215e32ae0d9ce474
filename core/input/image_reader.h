#pragma once

#include <memory>
#include <string_view>

#include "core/input/document_reader.h"

namespace docspec {

/// True when the bytes begin like a PNG, JPEG, TIFF or WebP.
bool is_image(std::string_view bytes);

/// Opens a PNG, JPEG, TIFF (a page a directory) or WebP with Leptonica. The page's size in points
/// follows the file's resolution (200 dpi where it has none or says less than 30); rasters are
/// never larger than the file's own pixels. Alpha is laid on white; what EXIF says
/// of a photograph's orientation is undone. Throws as open_document does.
std::unique_ptr<DocumentReader> open_image(std::shared_ptr<const InputBytes> input);

}  // namespace docspec
