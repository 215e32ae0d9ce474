#pragma once

#include <span>
#include <vector>

#include "drafts/lines/text_lines.h"

namespace docspec {

/// Lines that belong together by distance, size and weight: the paragraphs of a column, before
/// their kinds are known.
using TextBlock = std::vector<int>;  // indices of lines, top to bottom

/// Groups `chosen` lines into blocks; each line is in exactly one.
std::vector<TextBlock> group_blocks(const std::vector<TextLine>& lines,
                                    const std::vector<int>& chosen, std::span<const Word> words);

/// The box around the lines.
Box box_of(const TextBlock& block, const std::vector<TextLine>& lines);

/// The lines of a block themselves.
std::vector<TextLine> chosen_lines(const TextBlock& block, const std::vector<TextLine>& lines);

/// A few words that lie within a block become lines of it: noise made their boxes wide, so that
/// they were not seen to stand in a line.
void take_in_strays(std::vector<TextBlock>& blocks, const std::vector<TextLine>& lines);

}  // namespace docspec
