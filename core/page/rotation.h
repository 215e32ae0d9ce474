#pragma once

#include "core/page/page_image.h"

namespace docspec {

/// A copy of the same size turned clockwise about its middle, white where nothing was.
PageImage rotate(const PageImage& image, double degrees);

/// The box around a box of such a page turned with it, cut to the page.
Box rotate(const Box& box, double degrees, int width_px, int height_px);

/// The box that `rotate` by so many degrees has made this one of, where it was not cut: the box of
/// a line on a page that was turned, without what the turn has put around it. For angles of a
/// scan's lean.
Box unrotate(const Box& box, double degrees, int width_px, int height_px);

}  // namespace docspec
