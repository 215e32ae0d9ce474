#pragma once

#include <cstdint>

#include "core/page/page_image.h"

namespace docspec {

/// The level of gray of a pixel, from 0 to 255.
inline int gray(const uint8_t* rgb) {
  return (rgb[0] * 77 + rgb[1] * 150 + rgb[2] * 29) >> 8;
}

/// The page as if its paper were white everywhere and its ink black: what is brightest around each
/// place is taken for paper, and gray levels are stretched from the ink's to the paper's. A page
/// that is so already, one without ink and a dark one stay as they are. 37 ms for an A4 page of 200
/// dpi, 31 ms for one that stays.
PageImage evenly_lit(const PageImage& page);

}  // namespace docspec
