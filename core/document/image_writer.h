#pragma once

#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/page/page_image.h"

namespace docspec {

/// Bytes of a PNG of the image, its dpi kept. Throws Error(out_of_memory).
std::string encode_png(const PageImage& image);

/// Bytes of a JPEG, made smaller first so that it has at most `dpi`. Throws Error(out_of_memory).
std::string encode_jpeg(const PageImage& image, double dpi, int quality = 70);

/// A PNG of the page with the blocks' boxes, coloured by category and numbered in reading order.
/// Throws Error(out_of_memory).
std::string overlay_png(const PageImage& image, const std::vector<Block>& blocks);

}  // namespace docspec
