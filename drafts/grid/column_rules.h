#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"
#include "drafts/grid/ruling_lines.h"

namespace docspec {

/// Tables with a rule below the head of each column, as the reports of companies have: labels at
/// the left, and below each rule one value a row; a sign of money and its number are one. A rule
/// over several columns stands below a head of theirs. `em_px`: size of the body text.
std::vector<RuledTable> find_tables_by_column_rules(const RulingLines& rules,
                                                    std::span<const Word> words, double em_px);

}  // namespace docspec
