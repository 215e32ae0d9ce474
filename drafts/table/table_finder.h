#pragma once

#include <optional>
#include <span>
#include <vector>

#include "drafts/lines/gutter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Groups of lines (indices) that stand in aligned columns, each of them readable by table_grid.
/// None runs over the gutter between two columns of text, where there is one.
std::vector<std::vector<int>> find_tables(const std::vector<TextLine>& lines,
                                          std::span<const Word> words, int width_px,
                                          const Gutters& gutters);

}  // namespace docspec
