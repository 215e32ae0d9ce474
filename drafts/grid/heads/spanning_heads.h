#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/region.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Adds the lines that stand right above columns of numbers to a table's `cells`, as rows of heads:
/// "31 December" over "2022" and "2021" spans both columns, "Group" over "2022" stands in its own.
/// Neither they nor the table's first row have anything over the labels at the left, or they share
/// all columns of numbers among them, so that a title of the whole table stays out. `near`: the
/// lines of no table. Returns the indices of those that were added; the box `table` grows to hold
/// them. `em_px`: size of the body text.
std::vector<int> add_spanning_heads(std::vector<GridCell>& cells, Box& table,
                                    std::span<const TextLine> near, std::span<const Word> words,
                                    double em_px);

}  // namespace docspec
