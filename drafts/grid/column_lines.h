#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"
#include "drafts/grid/ruling_lines.h"

namespace docspec {

/// Tables whose columns are parted by two lines and more that run down from a rule across, without
/// rules between the rows: a row begins where the first column has something. Their heads stand
/// over that rule, below another one. Columns of prose are none. `em_px`: size of the body text.
std::vector<RuledTable> find_tables_by_column_lines(const RulingLines& rules,
                                                    std::span<const Word> words, double em_px);

}  // namespace docspec
