#pragma once

#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Poppler takes a text that runs aslant to pieces, most of them single letters, whose boxes would
/// tear apart the lines that it crosses. Large letters are a watermark, and go, as does any text
/// that is printed large across others. Letters of the text's own size (a column's head, a label)
/// become one word again, which stands where its lowest letter is.
void settle_aslant_words(std::vector<Word>& words);

}  // namespace docspec
