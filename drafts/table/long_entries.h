#pragma once

#include <span>
#include <vector>

#include "drafts/lines/gutter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Of each line whether it is a long cell of a table: at the end of a row of short cells, in at
/// least four such rows one below the other, each entry a sentence or name of its own that begins
/// where the others do. `rows`: the lines by rows, from the top; `is_short`: of each line whether
/// it is as short as cells mostly are.
std::vector<bool> find_long_entries(const std::vector<std::vector<int>>& rows,
                                    const std::vector<TextLine>& lines, std::span<const Word> words,
                                    const Gutters& gutters, const std::vector<bool>& is_short);

}  // namespace docspec
