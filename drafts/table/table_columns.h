#pragma once

#include <span>
#include <vector>

#include "drafts/lines/text_lines.h"

namespace docspec {

/// What one column of a table covers, in pixels from left to right.
struct ColumnSpan {
  int from = 0, to = 0;
};

/// Lines cut into the phrases that can be cells, and the columns that these show.
struct TableColumns {
  std::vector<TextLine> phrases;
  std::vector<ColumnSpan> columns;
};

/// Whether at least half of a word are digits.
bool is_numeric(const std::string& word);

/// Finds columns by the strips that hardly any phrase runs across; one that stands over several
/// phrases of other rows (a head that spans columns) is no obstacle. `em_px`: the text's size.
TableColumns find_columns(const std::vector<TextLine>& lines, std::span<const Word> words,
                          double em_px);

}  // namespace docspec
