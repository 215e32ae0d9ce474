#pragma once

#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// Writes "█" for each word under a plain dark patch, as censored ones are. Boxes are in pixels of
/// which one of `image` takes `scale`.
void censor_covered(std::vector<Word>& words, const PageImage& image, double scale);

/// Drops words of Latin letters that the page does not show, as white ones on white: a page of
/// which many are so is left as it is. Boxes are as above.
void drop_unseen(std::vector<Word>& words, const PageImage& image, double scale);

}  // namespace docspec
