#pragma once

#include <span>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"

namespace docspec {

/// How many cells a table has where white through all columns parts the rows of its cells.
size_t count_open_cells(const RuledTable& table, std::span<const Word> words);

/// A row of cells that holds several lines of text becomes as many rows: two lines of numbers or
/// more, three lines of labels with figures, four lines of anything, most of which have words in
/// half of the columns, or parts between which white runs through all columns.
void split_open_rows(RuledTable& table, std::span<const Word> words);

}  // namespace docspec
