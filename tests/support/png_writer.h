#pragma once

#include <string>

#include "core/page/page_image.h"

namespace docspec::test {

/// The bytes of a PNG file of these pixels that states the image's dpi.
std::string png_bytes(const PageImage& image);

}  // namespace docspec::test
