#pragma once

#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Puts a large initial, which stands beside two lines or more, before the word that it begins.
void join_drop_caps(std::vector<Word>& words);

}  // namespace docspec
