#pragma once

#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// Takes away the words that nobody sees: those under a plain patch, as censored ones are, and
/// those in the colour of the paper. Where a fifth of a page's words leave no mark on paper, its
/// fonts could not be drawn: then all stay. Boxes are in pixels of which one of `image` takes
/// `scale`.
void drop_unseen(std::vector<Word>& words, const PageImage& image, double scale);

}  // namespace docspec
