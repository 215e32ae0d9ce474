#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/grid/ruling_lines.h"

namespace docspec {

/// The white between two tables or two frames side by side, as thin boxes in pixels of the frame:
/// where rules across end at it twice and more, the one pair below the other, a box from each pair
/// to the next; where a line runs down at either side and nothing is drawn between the two, a box
/// along both. No word lies in the white. `dpi`: of the frame.
std::vector<Box> whites_between(const RulingLines& rules, std::span<const Word> words, double dpi);

/// The same strips, but those below each other as one where no word lies across the way from one to
/// the next, from the highest to the lowest: what stands left and right of one may be in two
/// columns. `whites`: as found by whites_between.
std::vector<Box> walls_of(std::span<const Box> whites, std::span<const Word> words, double dpi);

}  // namespace docspec
