#pragma once

#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// TeX's older fonts have no underscore: it is drawn, as a short rule between two words. Joins such
/// words: "my" "files" are "my_files". Boxes are in pixels of which one of `image` takes `scale`.
void join_underscored(std::vector<Word>& words, const PageImage& image, double scale);

/// Adds a word of underscores for each blank to be filled in that is drawn as a rule at the feet of
/// a line of Chinese or Japanese, right behind a word: exams and forms have them.
void add_blanks(std::vector<Word>& words, const PageImage& image, double scale);

}  // namespace docspec
