#pragma once

#include <span>
#include <vector>

#include "core/page/region.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Settles what whole blocks in bold letters are. A sentence in bold italics alone above a plain
/// paragraph heads it, as the risks of a company's report do; a label with its value ("Key words:
/// harbours, tides") that goes on with a bold paragraph in its letters heads nothing. `first`: each
/// region's first line, -1 of those without; `rows`: lines of each region.
void settle_bold_blocks(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                        const std::vector<int>& first, const std::vector<size_t>& rows,
                        std::span<const Word> words);

}  // namespace docspec
