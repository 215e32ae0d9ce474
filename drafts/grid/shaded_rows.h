#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// The shades behind every second row of a table, from the top, pixels of the frame: three strips
/// or more of one light colour, one width and about one height, as far apart as they are high.
/// `em_px`: size of the body text, here and below.
std::vector<std::vector<Box>> find_shaded_rows(const PageInput& page, double em_px);

/// The box of such a table with the heads that stand over its first shade and the row right below
/// its last one. `above`, `below`: the lines over it and under it.
Box shaded_table(const std::vector<Box>& shades, std::span<const TextLine> above,
                 std::span<const TextLine> below, double em_px);

}  // namespace docspec
