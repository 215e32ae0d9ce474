#pragma once

#include <cstdint>
#include <string_view>

namespace docspec {

/// Pixels of the largest image of a PDF, from the /Width and /Height of its stream dictionaries,
/// which stand uncompressed in the file whatever else is packed. 0 when there is none. Linear in
/// the file's size.
int64_t largest_pdf_image(std::string_view pdf);

}  // namespace docspec
