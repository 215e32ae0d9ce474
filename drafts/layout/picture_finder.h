#pragma once

#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Boxes of ink that neither the lines nor `taken` (tables) account for, large enough to be a
/// picture; those that touch are one. Needs PageInput::image.
std::vector<Box> find_pictures(const PageInput& page, const std::vector<TextLine>& lines,
                               std::span<const Box> taken);

/// Boxes of drawings whose labels are text: what is drawn above "Figure 3:", up to the nearest line
/// of prose, with the words in and beside it. Needs PageInput::image.
std::vector<Box> find_diagrams(const PageInput& page, const std::vector<TextLine>& lines);

}  // namespace docspec
