#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/page/draft.h"
#include "core/page/page_glyphs.h"

namespace docspec {

/// A formula's number at the margin ("(3.2)", "[7]") as LaTeX behind it; empty for none.
std::string equation_tag(const std::string& number);

/// LaTeX of a display formula, without dollars: fractions, roots, accents, indices, limits,
/// brackets, rows. Nothing when a sign has no LaTeX or a part has no place in what is known.

/// From its glyphs and bars, in the order of writing. `fonts` as PageGlyphs has them; `displayed`:
/// it stands alone in its lines, where a number may stand at the margin.
std::optional<std::string> formula_latex(std::span<const std::string> fonts,
                                         std::span<const PageGlyph> glyphs,
                                         std::span<const PageRule> rules, bool displayed = true);

/// From the places and sizes of its words and the bars between them (boxes of one frame).
std::optional<std::string> formula_latex(std::span<const Word> words, std::span<const Box> bars,
                                         double dpi);

}  // namespace docspec
