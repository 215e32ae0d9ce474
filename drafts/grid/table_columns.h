#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <utility>
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

/// How many of the digits 0 to 9 a text has.
size_t count_digits(std::string_view text);

/// Whether at least half of a word are digits.
bool is_numeric(std::string_view word);

/// Finds columns by the strips that hardly any phrase runs across; one that stands over several
/// phrases of other rows (a head that spans columns) is no obstacle. `em_px`: the text's size.
TableColumns find_columns(const std::vector<TextLine>& lines, std::span<const Word> words,
                          double em_px);

/// The first of the columns that a rule right below a head shows it to span, and how many they are;
/// {0, 0} where there is no such rule, wider than the head. A rule for which `counts` is false, as
/// the edge of a shade, is none.
std::pair<int, int> columns_at_rule(const TableColumns& found, const Box& head,
                                    std::span<const Box> rules, double em_px,
                                    const std::function<bool(const Box&)>& counts);

}  // namespace docspec
