#pragma once

#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// Marks the words of fonts that are bold and whose names do not tell ("AdvOTce3d9a73",
/// "CIDFont+F2"): their letters have clearly more ink than those of the font that most of the page
/// is set in. Black faces of Chinese count as bold beside another face, and so do rows of Chinese
/// with far more ink than the others. The words' boxes are in pixels of which one of `image` takes
/// `scale`.
void mark_bold_fonts(std::vector<Word>& words, const PageImage& image, double scale);

}  // namespace docspec
