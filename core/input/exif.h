#pragma once

#include <string_view>

namespace docspec {

/// How an image must be turned to stand upright, by the EXIF data of a JPEG, PNG or WebP file or by
/// a page's directory of a TIFF file: the value of tag 0x0112, 1 (as it is) to 8; from 5 on width
/// and height change places. 1 where the file says nothing or is damaged.
/// Source: CIPA DC-008 (Exif 3.0), 4.6.5.
int image_orientation(std::string_view file, int page = 1);

}  // namespace docspec
