#pragma once

#include "core/page/page_image.h"

namespace docspec {

/// A copy of the same size turned clockwise about its middle, white where nothing was.
PageImage rotate(const PageImage& image, double degrees);

/// The box around a box of such a page turned with it, cut to the page.
Box rotate(const Box& box, double degrees, int width_px, int height_px);

/// The inverse of `rotate` for a box that was not cut: the box of a line on a page that was turned,
/// without the margin that the rotation has added. For the small angles of skewed scans.
Box unrotate(const Box& box, double degrees, int width_px, int height_px);

}  // namespace docspec
