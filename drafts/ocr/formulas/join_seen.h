#pragma once

#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Joins the formulas of a line of OCR that are parts of one: a sign begins or ends one of them, or
/// stands between them, as "$x$", "=", "$2y$". `words`: in the order of reading.
std::vector<Word> join_seen_formulas(std::vector<Word> words);

}  // namespace docspec
