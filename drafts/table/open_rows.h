#pragma once

#include <span>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"

namespace docspec {

/// A row of cells that holds several lines of text becomes as many rows: two lines of numbers or
/// more, three lines of labels with figures, or four lines of anything, most of which have words in
/// half of the columns.
void split_open_rows(RuledTable& table, std::span<const Word> words);

}  // namespace docspec
