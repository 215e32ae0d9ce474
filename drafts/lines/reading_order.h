#pragma once

#include <span>
#include <vector>

#include "core/page/page_image.h"

namespace docspec {

/// The order in which boxes are read: a permutation of 0..n-1, by a recursive XY-cut that prefers
/// columns (drafts.md 2). Bands of the page that share an empty gutter are read column by column, a
/// box across the gutter ends the columns; one that the text of two columns runs around follows
/// them. `em_px`: size of the body text; a column must be higher than two lines of it, so that rows
/// of labels and values stay rows. What stands on both sides of one of the `walls` (thin boxes, the
/// highest first) is in two columns even so.
std::vector<int> reading_order(std::span<const Box> boxes, double em_px,
                               std::span<const Box> walls = {});

}  // namespace docspec
