#pragma once

#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Gives bullets of a text layer their sign, where the PDF names them by the code of a letter or by
/// a code that Unicode has not given out: single characters of symbol fonts, and single letters of
/// a font of their own that open three lines or more at one place. Boxes of forms become ☐ ☑ ☒.
void restore_symbol_bullets(std::vector<Word>& words);

}  // namespace docspec
