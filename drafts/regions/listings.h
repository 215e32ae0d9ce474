#pragma once

#include <span>
#include <vector>

#include "drafts/grid/ruling_lines.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Tells the lines of listings that their own letters do not show to be code (`mono`). Within a
/// frame or a shade whose text is for the most part in type of one width, all lines are of the
/// listing, and what stands in one row is one line: comments in Chinese, and what is left of a line
/// that was too long. Elsewhere a line between two lines of code is one of them if it has Chinese
/// and that type, no more than two empty lines away, or if it begins further in right between them.
void settle_listings(std::vector<TextLine>& lines, std::span<const Word> words,
                     const RulingLines& rules, double dpi);

}  // namespace docspec
