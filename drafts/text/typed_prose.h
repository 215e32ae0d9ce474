#pragma once

#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Adds "Mono" to the names of fonts in which all words are as wide as they are long, where their
/// names do not tell it and most of the page is in others.
void name_typed_fonts(std::vector<Word>& words);

/// Takes the typewriter's font from the words of a page whose letters in such fonts are prose, as
/// in contracts and letters: rows of plain words that were broken where the next word had no room.
/// Listings keep it.
void read_typed_prose(std::vector<Word>& words);

}  // namespace docspec
