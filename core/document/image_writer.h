#pragma once

#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/page/page_image.h"

namespace docspec {

/// Bytes of a PNG of the image, its dpi kept. Throws Error(out_of_memory).
std::string encode_png(const PageImage& image);

/// The page's picture for the HTML viewer, as small as it stays legible on a screen: a PNG of four
/// greys, or a WebP where the page has colour or `photographs`. Throws Error(out_of_memory).
std::string viewer_picture(const PageImage& image, bool photographs);

/// A PNG of the page with the blocks' boxes, coloured by category and numbered in reading order.
/// Throws Error(out_of_memory).
std::string overlay_png(const PageImage& image, const std::vector<Block>& blocks);

}  // namespace docspec
