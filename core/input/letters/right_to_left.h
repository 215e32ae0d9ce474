#pragma once

#include <string>

#include "core/input/letters/glyph_widths.h"

namespace docspec {

/// Poppler keeps a word's letters from left to right as painted: turns a right-to-left word into
/// reading order, the numbers in it kept as they are; brackets become those that are read.
std::string logical_order(const std::string& visual);

/// A lam-alef is one glyph, whose letters Poppler has in the order of reading, each with half of
/// its width. Puts the two as two glyphs would be painted.
void part_lam_alefs(GlyphWord& word);

}  // namespace docspec
