#pragma once

#include <span>
#include <vector>

#include "drafts/lines/text_lines.h"

namespace docspec {

/// Lines of a page that are one display formula.
struct FormulaLines {
  std::vector<int> lines;  ///< indices
  Box box;
  bool alone = false;  ///< no short line stands beside it, as the cells of a table do
};

/// Display formulas among lines of a text layer: rows of signs without prose, the parts of
/// fractions and limits with them, and the number at the margin. `body_px`: size of the text.
std::vector<FormulaLines> find_formulas(const std::vector<TextLine>& lines,
                                        std::span<const Word> words, double body_px);

}  // namespace docspec
