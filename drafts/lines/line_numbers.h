#pragma once

#include <span>
#include <vector>

#include "drafts/lines/text_lines.h"

namespace docspec {

/// Takes the numbers that count the lines of a listing, or of a whole page in its margin, out of
/// the lines: numbers one below the other that go up by one (in a margin by five, too), but not
/// the cells of a table with `rules` across between them. Lines of nothing else are removed.
/// Returns the boxes of the columns of numbers.
std::vector<Box> take_line_numbers(std::vector<TextLine>& lines, std::span<const Word> words,
                                   std::span<const Box> rules, double dpi);

}  // namespace docspec
