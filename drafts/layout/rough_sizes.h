#pragma once

#include <span>
#include <vector>

#include "drafts/lines/text_lines.h"

namespace docspec {

/// Gives lines whose sizes OCR estimated (TextLine::rough_size) the size of the running text they
/// stand in: an estimate moves with the letters that a line happens to have, and a line that seems
/// larger than its neighbours would pass for a heading. A line stands in running text if it lies a
/// usual pitch from a neighbour with its left edge, and the upper one of the two fills the column.
/// `words`: of the page, as far as they are read.
void settle_rough_sizes(std::vector<TextLine>& lines, std::span<const Word> words);

}  // namespace docspec
