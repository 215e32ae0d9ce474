#pragma once

#include <string>
#include <string_view>

namespace docspec {

/// "Chapter 2 . . . . . 17": whether a line is an entry of a list of contents.
bool ends_with_leader(std::string_view text);

/// "Depths . . . . . 17" as "Depths ... 17"; dots that lead out of a text go.
std::string without_leaders(std::string_view text);

}  // namespace docspec
