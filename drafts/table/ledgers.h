#pragma once

#include <span>
#include <vector>

#include "drafts/lines/gutter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// What a ledger is: amounts of money, or pages of a list of contents, where a name may stand
/// between label and page.
enum class Ledger { amounts, contents };

/// Balance sheets and bills: labels at the left of a page and, far from them, figures that end at
/// one edge. Their rows are not parted as two columns of text are. `groups`: the rows of all lines.
std::vector<std::vector<int>> find_ledgers(const std::vector<std::vector<int>>& groups,
                                           const std::vector<TextLine>& lines,
                                           std::span<const Word> words, int width_px,
                                           const Gutters& gutters, Ledger kind);

}  // namespace docspec
