#pragma once

#include <span>

#include "core/page/draft.h"
#include "drafts/table/ruled_table.h"

namespace docspec {

/// Heads of several columns that share a cell because no line parts them: a head over others goes
/// into a row of its own, and heads side by side into their columns. `em_px`: size of the body
/// text.
void part_heads(RuledTable& table, std::span<const Word> words, double em_px);

}  // namespace docspec
