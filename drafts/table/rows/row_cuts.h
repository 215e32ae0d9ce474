#pragma once

#include <set>
#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/region.h"

namespace docspec {

/// How a row of cells that holds several lines of text parts.
struct RowCuts {
  std::vector<int> cuts;   ///< between its lines; none where they are not rows of their own
  std::set<int> spanning;  ///< columns whose text stands between the lines, as of all of them
};

/// The words of a cell, line by line.
std::vector<std::vector<const Word*>> cell_lines(const GridCell& cell, std::span<const Word> words);

/// Where the numbers of a column part its row: "19.", "20.", "21." below each other, the others'
/// lines beside them, and what stands at their left is of all. `cells`: of one row, here and below.
RowCuts cuts_at_numbers(const std::vector<GridCell>& cells, std::span<const Word> words);

/// Where white runs through all columns of a row, wider than between the lines above and below it,
/// and each column has words in each part: entries beside what they mean. Above two such parts and
/// more the first column may have a head of them. Lists of points have such white, too.
RowCuts cuts_at_whites(const std::vector<GridCell>& cells, std::span<const Word> words);

}  // namespace docspec
