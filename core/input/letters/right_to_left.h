#pragma once

#include <string>

#include "core/input/letters/glyph_widths.h"

namespace docspec {

/// Poppler keeps a word's letters from left to right as painted: turns a right-to-left word into
/// reading order, the numbers in it kept as they are; brackets become those that are read, and
/// forms of Arabic letters the letters.
std::string logical_order(const std::string& visual);

/// A lam is one glyph with an alef after it, and in some fonts with a meem and others. Poppler has
/// the letters of such a glyph in the order of reading, each with half of its width. Puts the two
/// as two glyphs would be painted.
void part_lams(GlyphWord& word);

}  // namespace docspec
