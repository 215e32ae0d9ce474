#pragma once

#include <span>
#include <vector>

#include "drafts/text_lines.h"

namespace docspec {

/// Groups of lines (indices) that stand in aligned columns, each of them readable by table_grid.
std::vector<std::vector<int>> find_tables(const std::vector<TextLine>& lines,
                                          std::span<const Word> words, int width_px);

}  // namespace docspec
