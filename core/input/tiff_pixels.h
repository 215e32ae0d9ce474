#pragma once

#include <string_view>

#include "core/page/pix_ptr.h"

namespace docspec {

/// The first image of a TIFF as 32 bits a pixel, upright, by libtiff alone: it reads what Leptonica
/// does not, tiles among others. nullptr if it cannot be decoded. The caller limits the size.
PixPtr read_tiff_pixels(std::string_view bytes);

}  // namespace docspec
