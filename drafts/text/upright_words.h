#pragma once

#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Clockwise right angles by which the page stands upright for most letters of `words`, 0..3. Text
/// that a minority turns (a label of an axis) does not count.
int quarter_turns_to_upright(const std::vector<Word>& words);

/// Turns `words` of a page of `width_px` x `height_px` with it, clockwise by `turns` right angles.
void turn_words(std::vector<Word>& words, int turns, int width_px, int height_px);

}  // namespace docspec
