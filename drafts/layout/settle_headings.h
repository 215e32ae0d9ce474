#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// A title of several lines is one; what follows it in a large size without being bold or numbered
/// (names, a date) is no heading. `first`: each region's first line.
void settle_title(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                  std::vector<int>& first, std::span<const Word> words);

/// On a scan, whose italics are not seen: a numbered line alone ("B. Data acquisition"), above a
/// paragraph and not among others like it, heads it. In print so do short lines "5.4.10", "5.4.11",
/// and those that fill a gap in the numbers of bold headings. `rows`: lines of each region.
void settle_numbered_lines(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                           const std::vector<int>& first, const std::vector<size_t>& rows,
                           std::span<const Word> words);

/// Lines of the text's own size alone between paragraphs, "What Happens After the Review?", whose
/// words begin with capitals, are headings where a page has two and more of them.
void settle_titled_lines(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                         const std::vector<int>& first, const std::vector<size_t>& rows,
                         std::span<const Word> words);

}  // namespace docspec
