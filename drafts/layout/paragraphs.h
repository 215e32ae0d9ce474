#pragma once

#include <span>
#include <vector>

#include "drafts/lines/text_blocks.h"

namespace docspec {

/// Splits a block at indents, short last lines and list markers. Blocks without words stay whole.
std::vector<TextBlock> split_paragraphs(const TextBlock& block, const std::vector<TextLine>& lines,
                                        std::span<const Word> words);

}  // namespace docspec
