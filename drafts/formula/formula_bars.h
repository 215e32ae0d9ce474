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

}  // namespace docspec
