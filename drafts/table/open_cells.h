#pragma once

#include <span>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"

namespace docspec {

/// Many tables rule only their head, or every second row or column. Cuts cells that hold several
/// rows or columns of text where the text itself parts, and drops what only double lines made.
/// `em_px`: size of the body text.
void cut_open_cells(RuledTable& table, std::span<const Word> words, double em_px);

/// Makes the first column of a table without lines around its cells two where its head, one word,
/// stands far right of all labels, as "Note" does; at most numbers stand below it.
void part_open_head(RuledTable& table, std::span<const Word> words, double em_px);

}  // namespace docspec
