#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/region.h"

namespace docspec {

/// Which rows of a text were begun on purpose, as those of an address: the row before had room for
/// the next word, or all are names of few words in a column with room beside it. `rows`: words from
/// left to right; `free_px`: white space of the column beside the text; `edge`: where the lines of
/// its column end, 0 = where its own do. One value a row, false for the first.
std::vector<bool> hard_breaks(std::span<const Word> words,
                              const std::vector<std::vector<int>>& rows, int free_px, int edge = 0);

/// Where the lines of a region's column end: three other texts at least begin where it does, within
/// a few letters of `em` pixels, and reach so far, and nothing else stands in between. 0 where
/// there are fewer.
int edge_of_column(const Region& region, const std::vector<Region>& regions, int em);

/// White space beside a region: up to the next regions on its left and right, or the edges of the
/// page's text.
int free_beside(const Region& region, const std::vector<Region>& regions);

}  // namespace docspec
