#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Whether a word is nothing but dots.
bool is_dots(std::string_view word);

/// "Chapter 2 . . . . . 17": whether a line is an entry of a list of contents.
bool ends_with_leader(std::string_view text);

/// "Depths . . . . . 17" as "Depths ... 17"; dots that lead out of a text go.
std::string without_leaders(std::string_view text);

/// Adds a word of dots before each page number of a list of contents that stands apart from its
/// entry: rows of chapters often have no leader, or one that ends early. Two rows with a leader
/// tell that there is a list, and where its numbers end; or else six rows below each other whose
/// numbers never fall, or eight whose numbers follow their text at one gap. Each column of a list
/// is a list of its own.
void add_leaders(std::vector<Word>& words);

}  // namespace docspec
