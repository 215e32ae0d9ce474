#pragma once

#include <string_view>

namespace docspec {

/// Whether letters of a text in a usual font reach above small ones: capitals, digits, brackets,
/// "b" and "l". `dots`: whether the dots of i and j count.
bool reaches_up(std::string_view text, bool dots);

/// Whether letters or marks of a text reach below the base line: "g", "," and brackets.
bool reaches_down(std::string_view text);

}  // namespace docspec
