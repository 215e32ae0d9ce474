#pragma once

#include <span>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"

namespace docspec {

/// Forms rule the fields at their right and leave the text beside them open: a cell over several
/// rows holds a line for each. Cuts such cells where the rows beside them part, if their lines
/// stand in line with those of the rows.
void split_tall_cells(RuledTable& table, std::span<const Word> words);

}  // namespace docspec
