#pragma once

#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Takes the typewriter's font from the words of a page whose letters in such fonts are prose, as
/// in contracts and letters: rows of plain words that were broken where the next word had no room.
/// Listings keep it.
void read_typed_prose(std::vector<Word>& words);

}  // namespace docspec
