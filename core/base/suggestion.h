#pragma once

#include <span>
#include <string>
#include <string_view>

namespace docspec {

/// " (did you mean builtin?)" with the one of `known` that `typed` probably stands for: a few
/// letters away, or one is short for the other ("markdown", "md"). "" where none is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> known);

}  // namespace docspec
