#pragma once

#include <span>
#include <vector>

#include "core/page/page_image.h"

namespace docspec {

/// The signs of a stack, from the top: a narrow column of a table, "1" to "9" one below the other,
/// that was found as one line which runs downwards. White stands between its signs, and lines of
/// other columns are level with them. Empty where `tall` is none; letters that are written
/// downwards stand close. Boxes are pixels of `image`.
std::vector<Box> signs_of_stack(const PageImage& image, const Box& tall,
                                std::span<const Box> lines);

}  // namespace docspec
