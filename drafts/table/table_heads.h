#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/table_structure.h"

namespace docspec {

/// Heads of several columns that share a cell because no line parts them: a head over others goes
/// into a row of its own, and heads side by side into their columns. `em_px`: size of the body
/// text.
void part_heads(RuledTable& table, std::span<const Word> words, double em_px);

/// A table that its heads show: its lines (indices) and what stands in its cells.
struct HeadedTable {
  std::vector<int> lines;
  TableGrid grid;
};

/// Tables of three columns or more below a row of heads, if of one row alone: each head has a value
/// straight below it. Rules part the two, or each head ends with a colon, or bold heads are centred
/// over plain values of several kinds, or the values are amounts, as of an invoice, or all that
/// stands below is an explanation in parentheses. `rules`: across the page.
std::vector<HeadedTable> find_headed_tables(const std::vector<TextLine>& lines,
                                            std::span<const Word> words,
                                            std::span<const Box> rules);

}  // namespace docspec
