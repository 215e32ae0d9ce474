#pragma once

#include <vector>

#include "drafts/formula/glyph_lines.h"

namespace docspec {

/// Whether a block of glyphs between lines of prose is a table without words: rows with several
/// wide gaps.
bool is_grid(const GlyphLines& lines, const std::vector<size_t>& block);

/// Whether it is the heads of a table's columns, which are variables: three wide gaps or more.
bool is_head(const GlyphLines& lines, std::vector<size_t> block);

}  // namespace docspec
