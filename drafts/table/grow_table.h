#pragma once

#include <span>

#include "core/page/draft.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/ruled_table.h"

namespace docspec {

/// Whether lines of text next to a grid are a row of it: each stands in one column, or has no word
/// that lies across two, and together they fill most columns. `em_px`: size of the body text.
bool fits_columns(const RuledTable& table, std::span<const TextLine> lines,
                  std::span<const Word> words, double em_px);

/// Adds a row without spans over or below a grid, as far as `y`.
void add_row(RuledTable& table, int y);

}  // namespace docspec
