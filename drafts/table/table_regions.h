#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// One table of a page.
struct TableRegion {
  std::vector<int> lines;       ///< indices of its lines
  Box box;                      ///< around its lines and rules
  std::vector<GridCell> cells;  ///< when its rules show the grid, else empty
};

/// Tables of a page, each line in one at most: grids of its `rules`, text between rules of one
/// width (booktabs; both need PageInput::image), lines in aligned columns but those `not_aligned`.
std::vector<TableRegion> find_table_regions(const PageInput& page,
                                            const std::vector<TextLine>& lines,
                                            const RulingLines& rules, double body_px,
                                            const std::vector<bool>& not_aligned);

}  // namespace docspec
