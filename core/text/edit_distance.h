#pragma once

#include <cstddef>
#include <string_view>

namespace docspec {

/// Levenshtein distance of two texts in code points, as a share of the longer one: 0 = equal, 1 =
/// nothing in common. White space counts as one blank; O(length of both multiplied).
double normalized_edit_distance(std::string_view a, std::string_view b);

}  // namespace docspec
