#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_glyphs.h"
#include "core/page/page_image.h"

namespace docspec {

/// Thin bars drawn in `box`, as over denominators and roots, from the top; strokes of `words`
/// (minus signs, letters) do not count. `scale` = frame pixels a pixel of `image`; boxes are of the
/// frame.
std::vector<Box> find_bars(const PageImage& image, double scale, const Box& box,
                           std::span<const Word> words);

/// Leaves out the rules that end far from the `glyphs` of a formula: the rule below the page's
/// header may be written right before it. `size`: of its letters.
void drop_far_rules(std::vector<PageRule>& rules, const Box& glyphs, double size);

/// Whether what stands from `x0` to `x1` on the line at height `base` is above or below the bar of
/// a fraction of words, "P = number of cases / number of all": the bar is as long as one of its
/// sides, and a relation stands before it. `size`: of the letters.
bool is_side_of_fraction(const PageGlyphs& page, double x0, double x1, double base, double size);

/// Whether the middle of a glyph stands in one of the boxes.
bool is_within(const PageGlyph& glyph, std::span<const Box> boxes);

}  // namespace docspec
