#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Lines at the left or right edge of a scan of which a few letters are seen: those of the next
/// page or column. Nothing else reaches as far out as they do. `body_px` is the size of the text.
std::vector<int> cut_off_lines(const PageInput& page, const std::vector<TextLine>& lines, bool left,
                               double body_px);

}  // namespace docspec
