#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/region.h"

namespace docspec {

/// Which rows of a text were begun on purpose, as those of an address: the row before had room for
/// the next word, or all are names of few words in a column with room beside it. `rows`: words from
/// left to right; `free_px`: white space of the column beside the text. One value a row, false for
/// the first.
std::vector<bool> hard_breaks(std::span<const Word> words,
                              const std::vector<std::vector<int>>& rows, int free_px);

/// White space beside a region: up to the next regions on its left and right, or the edges of the
/// page's text.
int free_beside(const Region& region, const std::vector<Region>& regions);

}  // namespace docspec
