#pragma once

#include <span>
#include <vector>

#include "drafts/formula/glyph_lines.h"
#include "drafts/formula/inline_formulas.h"
#include "drafts/grid/ruled_table.h"

namespace docspec {

/// The tables that the bars of a page's content rule both ways and in which something is written,
/// in the frame of its glyphs.
std::vector<RuledTable> find_glyph_tables(const GlyphLines& lines);

/// The inline formulas of a page with those in the cells of its tables. A line of a cell that has
/// no words is one formula: sums with their limits, fractions, variables. In a line that has words
/// are those of `of_lines`, and what these pass over; what has no LaTeX stays as it is.
std::vector<InlineFormula> with_cell_formulas(std::vector<InlineFormula> of_lines,
                                              const GlyphLines& lines,
                                              std::span<const RuledTable> tables);

}  // namespace docspec
