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

}  // namespace docspec
